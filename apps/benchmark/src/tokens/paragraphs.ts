/** What a customer and a shop write to each other, in languages of several scripts. */
export const PARAGRAPHS: Readonly<Record<string, string>> = {
  German:
    'Guten Tag, ich habe letzte Woche zwei Stühle bestellt, aber nur einer ist angekommen. Auf dem Lieferschein stehen beide. ' +
    'Könnten Sie bitte prüfen, wo der zweite geblieben ist? Falls er nicht mehr lieferbar ist, möchte ich den Kaufpreis ' +
    'zurückerstattet bekommen. Den ersten Stuhl behalte ich in jedem Fall, er gefällt uns ausgezeichnet. Vielen Dank im Voraus.',
  French:
    "Bonjour, j'ai commandé deux chaises la semaine dernière, mais une seule est arrivée. Le bon de livraison mentionne pourtant " +
    "les deux. Pourriez-vous vérifier où se trouve la deuxième ? Si elle n'est plus disponible, je souhaite être remboursé. " +
    'Je garde la première dans tous les cas, elle nous plaît beaucoup. Merci de votre réponse.',
  Russian:
    'Здравствуйте, на прошлой неделе я заказал два стула, но доставили только один. В накладной указаны оба. Проверьте, ' +
    'пожалуйста, где находится второй. Если его больше нет в наличии, я хотел бы вернуть деньги. Первый стул я оставлю ' +
    'в любом случае, он нам очень нравится. Заранее спасибо за ответ.',
  Arabic:
    'مرحبا، طلبت كرسيين في الأسبوع الماضي، لكن وصل كرسي واحد فقط. إيصال التسليم يذكر الكرسيين. هل يمكنكم التحقق من مكان الكرسي ' +
    'الثاني؟ إذا لم يعد متوفرا، أود استرداد المبلغ. سأحتفظ بالكرسي الأول على أي حال، فقد أعجبنا كثيرا. شكرا لكم مقدما.',
  Chinese:
    '您好，我上周订购了两把椅子，但只收到一把。送货单上写的是两把。请帮忙查一下第二把在哪里。如果已经没有货，我希望退款。' +
    '第一把椅子我会留下，我们非常喜欢。谢谢您的回复。另外，请告诉我退款需要多少天才能到账。',
  Japanese:
    'こんにちは。先週、椅子を二脚注文しましたが、一脚しか届いていません。納品書には二脚と書いてあります。もう一脚がどこにあるか確認して' +
    'いただけますか。在庫がない場合は返金をお願いします。届いた椅子はとても気に入っているので、そのまま使います。よろしくお願いします。',
};
