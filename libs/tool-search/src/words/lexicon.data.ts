// Made by scripts/make-lexicon.mjs from WordNet 3.1, whose licence is in NOTICE. Not written by hand.

/** How much words say of a topic, in percent: the number, then the stems of which it holds. All others say everything. */
export const WEIGHTS = `
30 not
40 again also alway be even here howev just never now onli so then too
45 about ago almost alreadi around away befor especi ever inde instead later mayb more most often onc perhap rather realli simpli slowli sometim somewhat soon still there therefor thus togeth veri yet
50 abe abli aboard across afar aft after afterward ahead airili algebra along aloud altogeth ampli anachronist anew angrili anyhow anymor anyway anywher apiec arbitrarili as ashor asid astray astrid atop aural awhil bannerlik below beneath besid between beyond briefli busili but by chiefli clumsili contradictorili coolli cosili crazili cruelli customarili daili daintili dandili deepli dismal disregardless dizzili doubli doubtless down downstair downstream downwind drearili drowsili dryli dulli earlier easili edgewis either elsewher enviabl everywher expressli extraordinarili far farthest faster forev forth forthwith forward freeli fulli furthermor fussili gaili gayli glibli gloomili greedili grossli guiltili happili hastili haughtili headlong healthili heartili heavili henc henceforth hereabout herebi herein hereinaft heretofor hither hitherto homeward insofar intramuscular irrespect jurisprudenti kinda lazili lengthili lengthwis likewis longer luckili lustili meanwhil mere merrili meticul militarili momentarili moreov narrowli nearer necessarili nevertheless newli noisili nonetheless northward notwithstand nowis off oftentim on ordinarili otherwis overboard perchanc perfunctorili primarili quicker quit readili reflexli regardless ruefulli satisfactorili scarc secondarili seldom sharpli shrilli shyli sic sidewis slantwis sleepili someday somehow someplac somewher sooner southward speedili steadili stealthili steepli stiffli stonili subt sudden sulkili superbl supra temporarili tenfold testili thenc thenceforth thereaft therebi therefrom therein thereof thereon thereto theretofor therewith thither though thrice throughout tranquilli truli tuneless twice unasham underfoot undoubt unduli uneasili unhesit unluckili unnecessarili unsteadili up upstat usual voluntarili warili wearili well westward whenc wholli withal within woefulli wordless wryli
55 abov accident afoot alon appar auspici back backward behind bodili closer curvac deliri dour downright enough eventu exact final first frequent further gradual haphazard have hereaft immedi impercept in insidi less lopsid much near nowher obvious offshor person plaintiv plum probabl pungent quick rapid rollick say shamefac simultan slight sough steadfast succinct surreptiti tenuous tonight unblink unceas unequ unequivoc unintent unobtrus unquest unquestion unreserv unutter upstair upward virtual
60 abroad actual affabl annual anxious apologet approxim atroci automat bare better bliss certain compassion conspicu covert deliber diametr discreet dispassion drastic entir everlast fair farther flamboy hard improp incident ineffect insid intrins invari least macroscop make miracul none notabl obstin occasion ok ornat ostens other outright over oversea particular preferenti pretti previous rakish rare recent reprov scrupul sedul see snug strict studious such swift tenaci thorough through two unanim unhurri unmanag unwit upstream wester wil wondrous
65 abrupt absentmind absolut accur acut affection agil agreeabl alik all asymmetr asymptot authorit aw awri axial bleak brisk cautious chronolog clear close come complet dexter diffid dim do dogmat earli eastward effortless emphat errat essenti faceti fast feroci feverish find frank furious furtiv general gentl get give go good gratuit great group habitu halfway harmless high hilari hopeless horribl impecc indiscrimin know larg late lingual littl long mani nearbi new no normal one onshor overt own partial patern plain precis present presto presum prim proper proportion psychic pure rearward reluct right sad same scath seem serious small soft sole solemn straight strenuous strong subsequ suffici sure syntact take terribl ters theatric think triumphant uncondit uncontrol uner unexpect unfalt unfortun unimpeach unmistak use vagu volumetr wide
70 absent acoust adequ apart artifici awkward bad barefoot basic becom begin best big bland blith breathless calm care common contemptu continu curious decent delici desper devilish differ direct downward dramat drunken each earliest easi endless energet equal exclus extrem feel fervent financi fine five follow former four frantic full ginger girlish gracious grim harsh hear histor hoars hold home honest horrifi humbl hyperbol hyster immens imperfect import incred indefinit indirect indoor inept inevit inexor invers inward irrat keep last leav like linear listless locat look loos loud low main majest man mean meek mellow mental midway mighti mild moros mute natur neat needless nervous next nimbl old omin open out outsid outward palpabl paradox peculiar perenni perfect peripher pervers piteous pitiless pleasant pompous poor possibl practic profound prompt proud quantit querul quiet raucous real realist rebelli relat restiv rigid rough savag second secondhand semant sever sexual short show shrewd similar sluggish some sooth spars specif spectacular stolid stout stubborn subconsci substanti super suspici tangibl tell tentat theoret thermodynam three tight tipto transvers tremend tri true typic ultim unconsci under uninterrupt unqualifi unrealist unsmil unsuit unwis vacant various vast vigor violent vocifer want whole wild
75 abl academ add adroit afraid ahorseback aimless alfresco american amiss anatom ancient ani anoth appear ask asleep aton avail belat believ belliger bewild biochem bitter black bold brave brazen brilliant bring broad call casual causal central chang childish clinic clockwis coars cold comic commerci compar confidenti consid consider consist constant convuls cortic crude curt damn dark dead dear decept deep delic department deplor determin develop difficult disconcert disproportion distal distant distinct domest eager earnest econom effect eight emin empir enorm enthusiast everi expect explicit extravag face faint famous fatal feder few fiendish fierc fight firm focal fond form formal fourth free fresh fugal fundament funni generous genuin geograph glorious gorgeous grammat grand graphic gratifi greater grow haggard half happen heavi hectic help helpless hermet hideous hot huge human hypothalam illegitim illicit impati imposs impud inadequ inadvert includ incomplet increas indescrib indic inescap inexcus inexpress inextric infinit initi inner insan insepar insignific insol insuffici interdepartment intern involv irrevoc jewish joint jubil judici keen kinesthet known larger latter lavish lead learn legal legitim let lie light liter literari live local mad magnific major medic meet melodramat microscop militari miser mistaken modern modest monaur move multilater nake nation nay necessari need nice nonchal noncompetit nonspecif notori odd optic oral outdoor outstand overhead overwhelm part passiv past pathet pay perman petul physic pictori place placid play polit posthum privat profession profus promin provid providenti prurient public punit put qualit random reach readi receiv red regular relentless religi remain rememb remorseless repeat requir respect restless rhythmic run rural safe sardon scientif sequenti serv sharp sidelong silent simpl sincer singl sit six smaller sober sociabl social sore southeast spasmod spatial speak special spiritu splendid staccato stand stark start stoical straightaway strang success suitabl sullen superstiti suprem sweet symmetr sympathet synergist tactual tall tantal tart tatter technic ten tens thermal thick thin third time timid today total tragic turn ultrason unabl unachiev unambigu unavoid unbeliev uncertain uncomfort uncompromis unconcern unconstitut underhand understand unenthusiast uneven unimagin uniqu unpatriot unpleas unrecogniz unthink unusu upper uppermost urgent utter viscer visibl visual vivid vocat wait walk warm watch weird white wick wise wooden work wors write wrong year yonder young
80 abash abdomin ablaz abnorm abomin aboveground accept accord achiev activ addlebrain adjac adjectiv admit adren adverbi aerodynam aesthet affect affer afir aflam aflar afloat aforesaid african aghast agre ail airborn airi airless akin algerian aliv alkalin allow alveolar ambiti amiabl amor amorph ampl anaerob analept analyt anastomot ancestr andean anem angri angular anhydr announc anom anomal anonym answer antebellum anthropomorph anti antibiot antic antisept antithet antithyroid antitrust apocalypt apocryph apostol appli appreci appropri apt aqueous arabl arbitrari archeolog ardent arduous argiv aristocrat arrog arteriolar arti asham ashen assum asteroid astral astronom astut atheromat atroph attend atyp audaci audibl authoritarian automot autonom averag avow awak awar awestruck axiomat babelik bacteri baggi bald barbar base basophil beadi bear beardown beauti bedfast bedraggl beefi belgian belov belowground benefici bespectacl bestial bestubbl bewhisk biblic bibliograph bigger bilater bilingu bimolecular binomi biograph biomed bipartisan bizarr blatant bleari blind blindfold bloodi bloodless bloodstain bloodsuck bloodthirsti blown blue bluish blusteri boeotian bogartian bogus boister boni borderlin born both bottomless botulin bouffant bound boundless bovin boyish braini brash brassi brazilian break brief bright brindl britann brittl brocad broke broken bronchial bronchiolar brown brownish brushi budgetari build built bulki bullneck buoyant bur bureaucrat burnt bushi businesslik buy cack cadaver cagey callous calorimetr canonist capabl cardiovascular carefre careless careworn carnal carri cartesian carven casebook cassock catapultian catastroph cataton catch caus causat ceaseless celesti celtic centenari cerebr chantlik chaotic charit cheap cheeri chemic childlik chinless chipper chivalr choos choosi christian chromatograph chronic chunki churchgo churchillian cinemat circular circumspect civic clad clammi clandestin classificatori classless clean clearhead clever clonic clumsi clutter coarsen coastal coaxial cockey cocki coher collegi colloid colloqui colombian color coloss columnlik cometari comfort commensur commonsens communal compat complimentari comprehens concav conceiv concern conciliatori concretist condemnatori condescend confluent congenit congratulatori congression conscienti consecut consonant constrain contain contemporari continent contraband contractu contradictori contributori conveni convinc convivi cooccur cool cordial correct corticofug cosmic counterbalanc countless courteous cover cozi craggi cranki crazi creami creat creativ credibl creedal crimson crisscross critic crocket crotcheti crucial cruel crummi cryptic cuban cubist cumbersom cumul current curricular cursori customari cut cute cylindr damp dank dapper dappl darn dauntless day daze deafen deal deathlik decid dedifferenti defiant definit delight demand democrat dens dental deprec deprecatori derang describ design desultori development deviant devious devout dextrous diachron diagnost diagon diagonaliz diaphys die dietari dignifi dilapid dimension dingi dipylon dirti disastr discorpor discourt discov discretionari discuss disembodi dishevel dishonest disillus disjoint disorgan dispar displeas dissatisfi dissimilar distinguish distraught diversifi dizzi docil doctrinair doglik dole domin done dormant downcast downhil drab drafti draughti draw drawn dread dreami dreamlik dreari dressi dri drive driven drop drugless dual dubious dull dumb dumfound duski dutch earsplit earthbound earthi earthlik earthshak eastern eatabl ebulli ecclesiast eclect ecstat edemat edentul edgi effectu eighteen eighteenth eighth eighti elabor eldest elector electr electrifi electrostat elementari eleven eleventh elfin elig eloqu elus emaci embed emblemat emeritus emphysemat empti enchain end endotheli engross enigmat enjoy enter envious environment enzymat epilept epiphys epistolatori equipot equit ergotrop erot erron ersatz erudit erythroid esoter establish ethnic euphor eurasian european evas everyday evid evidenti evolutionari excel excit excitatori excruci exhilar exist existenti exot experi experienc experienti experiment explain explanatori exploratori expositori express expressionist expressionless exquisit extant extend extern extra extraleg extramarit extraordinari extraterrestri exuber exult eye eyelik fabl fabul facilitatori factual fail fall fallen fallow fals familiar fantast faraway fascin fascist fastidi fat fearless featureless felin ferromagnet fetid feudal fewer fibrocalcif fictiv fieri fifteen fifteenth fifth fifti fiftieth figur fill filthi finicki finish finit firsthand fiscal fit fix flashi flat flawless fleshi flimsi floral florentin florid fluffi flush foami follicular foolhardi foolproof footloos foppish forbidden forc forceless foreign foremost forens forget forgotten formid forthright forti fortun fourfold fourteen fourteenth fragil fragmentari fragrant frail freehand freudian friabl friend frighten frigid frivol frontal frostbitten frowzl frozen fruitless fundamentalist fungal furri fusiform fuzzi gaelic garbl gaseous gastrointestin gauch gaunt gay genet genial gentil geometr gerundi ghast ghostlik gibelik gigant gilt glad glassi glassless gleeful global glomerular glu glum goddam goddamn godforsaken godless godlik golden gone gori grandios granular granulocyt grassroot grave gravid gray greasi greatest grecian green gregari grievous grimi gritti gross grotesqu groundless grown gruesom gruff guatemalan gubernatori guilti gullibl gummi guttur hairi hallow hand handi handless handmad handsom handwoven handwritten hapless happi hardwork hatless haughti head headless headstrong healthi heard hearten hearti hebephren hebraic heedless hegelian held hemolyt henpeck herculean heroic heterogen heterozyg hidden higher hit hitless homegrown homemad homozyg hope horizont horrid hungri huski hydrophil hydrophob hydrous hyperem hyperfin hypoact hypophys hypophysectomis hypothet ici ideal idiomat idiosyncrat idiot idl idyl ill illeg illiter illusionari illusori illustri imagin imaginari immacul immatur immor imparti impend imper imperson impervi impetu impious implac implicit implik impract imprecis improb improv inaccur inadvis inanim inappropri inaud inboard incalcul incap incertain incis incomprehens inconceiv inconsequenti inconsider inconsist inconveni incorrect indebt indec indefatig indefens indel independ indetermin indian indispens indistinct indistinguish individu indubit ineff inelig inert inexhaust inexpens inexperienc inexplic infal infam infantil infecti inferenti infern infertil inflammatori inflex influent influenti inform infrequ inglori inher inhibitori inhospit inhuman innumer inoper inorgan inquisit insensit insolubl instant instantan insubstanti insuper insurmount intact intellectu intercontinent interest interf interfaith interlobular intermedi intermesh intermin intermitt intermolecular interperson interspeci interst interstellar interstiti interwoven intim intract intradepartment intrapulmonari intric introductori invalu invinc inviol invis involuntari ionic ioniz irish irksom ironlik ironshod irreconcil irreduc irrelev irremedi irrepar irresist irrevers isolationist isotherm isoton isotop isotrop jacksonian jag japanes jaunti jazzi jealous jeffersonian jocos jocular join jolli jovial joyous juici jumpi jungian justifi kill killabl kindr kinet kittenish knifelik knotti kosher laborsav laci laden ladylik laid lamblik landlock languid lanki larval latent latest lavend lawless lazi leaden left legendari leggi lengthi lesser levelhead lewd lexic liabl lifeless lifelik lifelong lightheart limit limitless listen lit lith livabl livid loathsom lofti logic lone longstand lose lost love lowli loyal lucki ludicr lugubri lukewarm lumbar lumin lumpish lunar lurid luscious lush lusti macabr machinelik macromolecular madden made maintain makeshift maladroit malpos mammalian mammoth mandatori manic maniclik mantic marit mark marri martial marvel marxist massiv mathemat mauv maximum meager meaning meaningless measur meati mechanist median mediev megakaryocyt melod mendaci menial merciless meritori merri mesenter metaphys meteorolog metropolitan microbi microsom mid midwestern million mimet mindless minim minimum ministeri minoan misbrand miscellan mischiev misguid misplac misrel misti mitral moblik moder moist molal molecular molten momentari monast monkish mononuclear monophon monstrous moonlit moroccan morphem motionless mourn mousi muddi muddlehead muffl multidimension multitudin mundan municip murki muscular mycenaean myeloid myocardi mystic mythic naiv name nameless narrow nasti nationalist nauseat nautic naval neanderth nearsight nebul necrot negat neo neocort nerveless netlik nettlesom neuromuscular neuron neuropsychiatr newborn newtonian nightmarish nilpot nine nineteenth ninth nobl nocicept nocturn nodular noisi nonassert nonchurchgo noncommiss nondescript nonenzymat nonexist nonfunct nonion nonlinguist nonmetal nonobserv nonparticul nonpolit nonproduct nonresid nonverb nonvolatil north norther northern northwest note nubil nuclear null numb numer numin nutrit oaken obdur objection obliqu oblivi obnoxi obsequi observ obsolesc obtain occipit occlud occur ocular odious offbeat offer ohmic oili okay older oleophil oleophob omnisci oncom onetim opaqu openmouth oper operat opportunist optimist optimum opul orator ordinari organ organiz origin orneri orthodox orthograph orthoped osseous ostentati outdat outer outgo outspoken overal overbear overconfid overcuri overdon overgrown overh overhand overnight overpr overs overvali overweight paid painless pale paleocort pallid panick panoram papal paperi papillari paramagnet parametr paramount paranoid parasympathet parisian parliamentari parochi parrotlik particul particularist pass pastelik pasti paternalist pathless pathogen patrist pave payabl peaceabl peaki pedagog pedant peevish pelvic pend pensiv peopl perceptu peremptori perfunctori peril perki permit perplex persuas pert pertin pestilenti pettico pharmacolog philanthrop philharmon philolog phoni phonic phosphoresc physicochem physiolog picturesqu pighead pink pithi pitiabl plan planar planetari platitudin plausibl playabl pleas plenti pleural pliant plumb plush poetic poignant polem polycrystallin pomad popular porous portabl portent posit posterior postwar potent powderi powerless pragmat precari precast precious precoci preconceiv precook precool predigest predispos predomin preemin prefer pregnant prehistor prejud prejudici preliminari preliter premonitori prepackag prepar preparatori preposter prepubesc prepup presidenti prevent prewar priceless primari primev primit printabl prior prizewin prodigi produc profan prolif prone prophet propiti prosod proteolyt proto protogeometr prove proverbi provision pseudo psychiatr psychopharmacolog psychot psychotherapeut pubesc puckish pulmonari pulseless puppyish purport pursuant pyknot quaint quarrelsom quasi quaver queer question quicksilv quiescent quixot raci racial radial radiant radic radioact rais rampant rangi rarifi raw read readabl realiz reason reborn reciproc reckless recogn recogniz recover rectangular redoubt reduc reflect refresh regulatori relativist reliabl remark remot remov remun report reprehens repres residenti resini respiratori resplend result retin return revolutionari rich ricketi ride ridicul rigor rimless riotous ripe rise riski rocki rocklik roil rosi rotten roughhewn round roundabout rousseauan royal rubberi rubberlik rudderless ruddi rude rudimentari ruinous rusti sacr sadist sagaci said salaci salient salivari salubri salutari sanctifi sandi sane sarcast sarcolemm satisfactori save scant scarecrowish scenic schemat scholast schoolgirlish sclerot scoreless scragg scrawni screechi secondari secret sedentari seek seismic sell semiempir semiliter semipreci semipubl semiskil senatori send senseless sensori sensuous sentient separ septic seren serolog set seven seventeen seventeenth seventh sexi shabbi shadowi shaken shapeless shaven sheeplik sheer shini shipshap shiveri shod shoot shortsight showi shrewish shrill shrivel sick sickish signific silli silveri simplex simplist sinewi sing singular sinist sinter sinuous sixteen sixteenth sixth sizabl skelet skinni slant sleepi slender sli slim slipperi sliveri sloppi sloven slow smallish smart smile smitten smolder smooth smug snappi snobbish societ socioeconom sociolog sodden solar solid solitari somat somber somnol sooti sordid sorri sought sound soundproof sour southbound southeastern southern soviet spectral specular speedi spellbound spend spheric spic spideri spineless splinteri spoken spongi spontan sporad spotless spright squar squeaki stagnant stamin stare startl state statesmanlik statutori staunch stay steadi stealthi stellar stentorian stepwis stereophon sterl stern sternal sticki stop stormi straightforward straitlac strateg stricken strike stringi strung studi stuffi stung stupefi stupend stupid sturdi suav subhuman sublim subliterari substant subsurfac subtl suburban suggest sultri sumptuous sunbak sunburnt sundri sunken sunstruck suntan superb supercili superfici superior supernat superson supin supplementari support suppos sur surpris swart swarthi swayback swedish swelter swingi sworn symphon symptomat synthet syrian syrupi systemat tactil taken talisman talk talkat talki tangenti taut tawdri tawni taxabl teach tedious teensi telltal tempor temporari tender tenebr tensionless tepid terrestri terrif terrifi theistic themat therapeut thermogravimetr thermometr thickspread thing thirteenth thirti thirtieth thoriat thoroughgo thoughtless threadbar thrifti thrombos throw thyrotox timeworn tini tipsi tireless tiresom tokenish tonal topnotch topograph torn torpid tortuous totalist tough tousl toxic traceabl tragicom transcendent transcultur transpar treacher treat trebl triangular tribal trichrom tricolor trite trophotrop tropic troublesom trustworthi tubular tumultu turkish tuxedo twelfth twelv twenti twentieth twirl twofold twoscor typograph ubiquit ultra ultramodern unab unaccept unaccompani unaccount unadjust unaffect unafraid unalter unansw unarm unask unassist unasterisk unattach unattract unauthent unauthor unavail unawar unborn unbound unbreak unbroken unbutton uncanni uncaus uncertifi unchang uncharg uncheck unclaim unclean uncloud uncomb uncommon unconqu unconquer unconvent unconvinc uncoop uncousin uncrit undamag undaunt undeclar undeni undepict undercov underdevelop undereduc underground underprivileg undersea understood underwat underway undesir undevelop undifferenti undigest undilut undiminish undisguis undisput undon undrink undu uneasi uneconom unend unexplain unexplor unfair unfaith unfamiliar unfavor unfertil unfett unfit unfix unforeseen unforgett unfrost unfrozen ungain ungod ungrat unhappi unhealthi unheat unheed unholi unhurt unilater unimpair unimpass unimport unimpos unimpress unimprov uninject unintellig unintend uninvit uninvolv unival universalist unjust unkind unknown unlaw unlik unlimit unlin unliterari unlov unlucki unmalici unmarri unmat unmeritori unmolest unmov unnatur unnecessari unneed unnot unnumb unobtain unoccupi unoffici unoppos unorthodox unpaid unpaint unpair unparallel unpav unperform unpicturesqu unplow unplumb unpopular unpreced unpredict unpremedit unprepar unpretenti unproblemat unprocur unpromis unprotect unpublish unpunish unreadi unrecogn unreconstruct unredeem unreflect unregret unrel unreleas unreli unremark unrequit unrespons unrestrict unruli unsaid unsatisfactori unsatur unscath unscientif unscrupul unse unseen unservil unsettl unshak unsharpen unshav unshaven unshield unsign unslop unsolv unspeak unspoken unstabl unstain unstilt unstress unstructur unstrung unsuccess unsung unsympathet untel unten untest unthemat untold untouch untoward untradit untrammel untri untru unus unvari unventil unw unwant unwarr unwav unwelcom unwil unwoman unwrinkl unwritten upcom upland upright urban urinari usabl useabl useless vain valiant valuabl valueless vari vascular vehement velveti verbal verid verit vermilion vernal vertic vesicular veterinari viabl vibrant vibrion vicari vicious victorian viennes vile vindict viscoelast viselik vital vivaci voltaic volumin voluptu votiv vulpin wacki wan wari warlik wateri wavi waxen waxlik way wayward wealthi wear weari wearisom wee western wet wholesom widespread wili wilsonian win windblown windi winless wintri wiri wish witti woeful wolflik wonder wonderwork woolli workabl workmanlik worldwid worn worthi worthwhil woven wraithlik wri written yellow yesterday younger youngish youth
85 abandon abbrevi abhorr abid abject abound absorb absurd accompani accomplish accru accus acquir act addict adept adjust administr admir adopt ador advanc advers advis aerob affix afflict afford agap aggrav agit alert alien alleg alter altern amaz amber ambigu amen amic amount analog analyz anglican anterior anticip antiqu appal appoint approach approv arbor arch area argu aris aristotelian arm arous arriv artist ascertain assert assign assur astonish astound astring attach attack attempt attract attribut authent author avoid await awaken bake bankrupt baroqu bawdi beard beat befuddl beguil behav bend betroth bewitch billion biolog bite bittersweet blacken blanch blank blasphem bless blister blunt boast bodi bore bother boy british bronz bucol burn burst busi buttress calcul canadian capitalist case categor cathol ceas center ceram certifi characterist charg check cherish chestnut chic chief child chilli chines chink choke churn cite civilian claim clank classic classifi cleric climb clinch clog cloudi coax cognat collect combin commend commit commonplac communist compact compel compet competit complain complex complic comput conceal concentr conceptu conclud conduct confid confirm confound confront confus conjoin connect conscious consequ conserv constitut construct consumm contigu contrari contribut control convent cooper correspond corros corrug corrupt cost count crafti craven crawl cri crippl crock cross crumpl crush crust cultur cur curs cynic dabbl dainti danger dare darken daunt dazzl deaden deaf debilit deceas declar defend defin deflat deliv demean demonstr demur deni depend deriv deserv desir desol despond destroy detach detail detect detest devast devot diatom digest diminish disabl disappear disbeliev discern disclos discourag disfigur disgust dishearten display disqualifi dissolv distast distract disturb divid divin doubl doubt downtown drag drape drench dress drill drink droop drunk due dwindl dynam earn eat edifi editori educ effici elaps elast elder elimin elong emancip embarrass embolden emerg emot emphas employ enabl encourag endear endur enforc engag english enlighten enrag ensu enthral entitl eosinophil ephemer equivoc erect erod escap esthet estim estrang etcetera etern ether ethic etymolog eugen evangel exagger exalt examin exceed excess exclud exhaust expand expedi explod explos expos extens extinguish extran fade fake fanci fasten fatten fatti favor fear feasibl feebl feed feminin fetch field file fire fledgl flee fleet fli float foolish foot forego forfeit forgiv fortifi foul fray frenzi fri fright front frown furnish fussi futur gain gall gape gather gaudi gauntlet geolog germin gesticul gild girl given glint glisten glitter gloomi glottochronolog glower gossam govern grab grace grant grate gravit greedi greek grey grizzl groggi grudg guess guid hackney hairless halt handl hang harass harden hardi harmon hasti hate haunt hazel hazi hefti hesit hide hilar hire homogen honor hostil hous humanist humanitarian hundr hungarian hurri hurt idea ident identifi ignor illumin illustr immateri impass impel impli impos impot impregn impress inact incandesc inclus incoher incompat incur indiffer indol induc indulg industri inflam infrar infuri injur innoc inquir inscrib insist inspir instal institution intellig intend intens intent interim interlock interpret intoler introduc introspect invert invit irregular irrespons irrit isol issu italian jade jangl jingl jump jut juvenil khaki kind kindl lack lactat land laugh lay lean leer leisur lethal level liber life lift limp line linger liquid list lousi lower lucid luxuri magic magnet magnifi malform manag mangl margin maroon martian masculin match materi matern meander mechan meddl memor mention messi metabol method methodist milit minc mind minor mislead miss mix mock modal moment monoton mortal mottl mount multipli mum music mutat mutter mutual myriad mysteri mytholog nasal natal nativ neglig neoliber neurolog neurot neutral nib night nihilist nineteen nineti nod nomin notic number obedi object oblig obscen obscur obsess occupi offic offici oliv olymp opalesc oppos opposit optim order orient outclass outmod overact overcom owe oxidis pain paint parallel parch passion pastel patholog patriarch peer perambul perceiv perform period persist persuad pester pharmaceut philosoph phonet phonolog pierc piezoelectr pinch plead pluralist point pois polish polyton ponder possess potenti pour power practis pray preced predetermin predict preoccupi preposit prescrib preserv press pretend prime princip pro problem proceed proclaim product profici profit program progress prolong promis promot propos prostrat protect protest provinci proxim psycholog publish pull pulver punctur puni purpl pursu push puzzl qualifi quot rag rang ratabl rate ration react reassur recal reclaim recommend record recurr redoubl reek refer refus regal regard regener regiment region reject relax relev reliev remind rend render replac repli reproduc resent resign resolv resound respond rest restrain restrict reticul retir retrogress reveal roll romant rotari rous ruffl rug runaway russian rustic salabl sallow salti sanguin sapphir satan satisfi savori scallop scandinavian scanti scare scatter schizophren school scorch scorn scurri seclud secur sedat seep seeth segreg seiz select selfish senil sens sensibl sensit settl seventi shaggi shake shaki shallow share shift shine shout shut side sign silver simul sizzl skill slash sleep slide slip slur smother snuggl soar socialist soldier solubl solv sophist sorb sorrel south spare specifi speckl specul spellbind sponsor spread squall squash squat stabl stagger stain stale standard starv static statist steal steam steep step stink stir stoop straggl stratifi stray streamlin strengthen stress stretch structur stuf stumbl stun subdu subject submit subservi succeed suffer sunni suppli surfac surmount surround surviv suspend swagger swear sweep swing symbol taboo tailor tame tangl tear technolog teen telescop tenabl tend tenth test teuton theolog thicken thiev thirsti thirteen thought threaten thrive till tilt tingl tire titan titil titter toil toler toss totalitarian totem totter touch tradit train transform transluc travel trembl trigon trivial trucul trust turbul tweedi type ugli undertak unfasten unifi uniform univers unlock unreason unsold unworthi upbeat uprais urg utilitarian utmost utopian valu vanish variabl varieg vener vertebr view viril visit visor vocal voic void volatil voluntari vote vulgar vulner wainscot wander water weak weep weigh welcom whitewash will wither wobbl woman word world worri worst worth wound wrap wretch writh yield zodiac
90 aberr abet abhor ablat abolish abrog abstain abstract abund abus acced acceler accentu acclaim acclimat accommod accost accumul accustom ach acknowledg acquit acrobat action actuat adam adapt addit address adher adjoin administ admix admonish adorn adsorb advoc aegean aerat affirm age aggreg aggress agricultur aid aim air alarm alight allevi alloc allot aloof alphabet amass ambl amend amplifi amput amus analys anim annoy antagon antagonis appeal appeas append applaud applic apport apprehend arbitr archaiz architectur armor arraign arrang arrest art arteri articul ascend ascrib assail assembl assess assimil assist associ assort atheist athlet attain attent attest attitud attun audienc augment augur auster auxiliari aveng avert awe babbl backstitch badger baffl balanc bale balk balkan ban bandag bandi bang banish baptiz bar barb barbecu baroni bash bask bast bat batter battl bawl bead beautifi beckon bedamn befal befit befog befriend beg beget behead behold behoov belabor beli bellow belong bemoan benefit berat beseech beset besmirch bespeak bestow bet bethink betray bevel bewail bewar bid bide bilk billow bind birdi blab blame blast blaze bleach bleed blend blight blink block blond bloom blow blubber blur blurt blush board bob bode boggl boil bolster bolt bombast boo book boom boomerang boon boost borrow bounc bow boycott brace brag brandish breath breed brighten broaden broil brood browbeat bruis bruit brush buddhist budg buffet bulg bulli bullshit bump burgeon buri bushwhack bust bustl butcher butt buzz bygon bypass cackl calcifi camouflag camp cancel canter capitul captiv captur car cardin careen caress caricatur carpet carv cascad cast catapult catech cater caucus cavort caw celebr cell centrifug centuri chafe chaff challeng chanc chandell chant character charm chase chat cheat cheer chew chide chill chirp chisel chivi chock chop choreograph chortl chronicl chuckl chuff chug church circumscrib citi citrat civil clamber clamor clamp clang clannish clarifi clasp cleans cleav clench click cling clink clobber clomp clot cloth cloud clutch coagul coalesc cock coddl codifi coerc coexist cohes coincid collabor collaps collat coloni colour command commemor commenc comment communic communiti communiz commut compani compil compli compos compound comprehend compress compris compromis compuls conced concili concis conclus concoct concord concret concur concurr condemn condit condon confeder confess confin confisc congeal congest congratul congreg conjug conquer consign consolid consort conspir constrict constru consult consumpt contact contamin contempl contend content contract contrast conven convention convers convert convex convey cook coordin cope corner corpor corrobor corrod cosponsor cough counter counteract counterchalleng countri cours court covet cower cowl crack cram crane crash crave craze creak creas credit creep cremat crescendo cring crisp criticis crochet crook croon crouch crowd crown crucifi cruis crumbl cuddl culmin cultiv cure curl curtail curv custodi dab damag dampen danc dangl danish dart dash data daydream death deceiv decentr decertifi decis declaim declin decompos decor decreas decri dedic deduc deduct deem deepen defeat defec defect defens defer defi deform defraud defray defrost dega deglycerol degre deign deject delay deleg delimit delud delv demolish demot demytholog denomin denot denounc dent depart deperson depict deploy depos deposit depriv derid descend desert despair despatch despis destin destruct detain deter deterior deton detract detrib devis devour diagnos dial dialyz dictat differenti diffus dig digit digress dilat dilig dilut diminut dine dip diplomat disabus disagre disallow disappoint disarm disband discard discharg disciplin disconnect discont discredit disdain disentangl disguis dishonor dishonour disint disintegr disinterest dislik dislodg dismay dismemb dismiss dismount disobey disord disown dispel dispers dispos dispossess disprov disput disregard disrob disrupt dissembl dissemin dissip dissuad distanc distil distort distress distribut distrust diverg divers divert divest divulg docket doctor dodg dog don donat doom door dope dovetail downgrad doze drain dream dribbl drift drip drown drows drowsi dub duck dump dun dunk dupe duplic durabl dwarf dwell earth eas east ebb eccentr eddi edg effac effloresc effort ejacul elect electromagnet eleg elicit elucid elud emascul emb embark embellish embezzl embitt embodi emboss embrac embroid embroil emit empow emul enact encas enchant enciph enclos encompass encount encrust endang endors endow enemi energ enerv engend engrav engulf enhanc enjoin enlarg enlist enliven enmesh enquir enrich enrol ensconc enshrin ensur entail entangl entertain enthron entic entomb entrench entrust enumer enunci envi envis envisag epic epidem epitom equilibr equip erad eras err erupt eschew escort espous etch eulog evad evalu event evil evok evolv exasper except exchang exclaim excommun excori exemplifi exempt exercis exert exhal exhibit exil exoner exorcis expel expend expens expiat expir exploit explor expound expung extenu exterior extermin extirp extract extric extrud exud facilit fact faith falsifi falter famili farm fashion father fathom faze featur fecund feign feint felicit fell fellow femal ferri fertil fete fiction fidget film filter financ fizzl flake flap flash flatten flatter flaunt fleck flex flexibl flick flicker flinch fling flip flirt flit flog flood flop flounc flounder flourish flout flow flub fluster focus forbid forecast foreclos foreknow forese foreshorten forestal forg forgo formul forsak forswear foster found fractur frame freewheel freez french fret fring frizzl frogmarch frustrat fulfil fulmin fumbl function furl fuse fuss futil fuzz gabbl gallant gallop galvan game garb garner gash gasp gawk gaze gear generat german geyser giant giggl gird glamor glanc glare glaze gleam glean glide gloat glom glorifi glow glue glut gnash gnaw gobbl god goof gorg goug graduat grappl grasp graze greet griev grimac grin grind grip groan groom grope ground grovel grumbl grunt guarante guard gull gun gush guzzl haggl hail hamper handicap hanker harangu harri harrow harshen hasten haul heal heart heat heav hebrew heed heft heighten heist hellen herald hibachi hibern highlight hinder hint histori hitch hobbl hock hog hoist hollow homicid homosexu hook hoot hop hors hour hover huddl hug humili humor hurl hurtl husband hush hustl hyalin hypnot hypothes ignit imb imbib imit immers immin immort impair impal impart imped imperi imperil implant implement implor impressionist impromptu improvis imput inaugur incapacit incarn incens incid inclin inclos incorpor indefin indign individualist indoctrin inferior infest inflat inflict influenc ingest inhabit inherit inject inlay inscrut insert inspect instig instinct institut instruct insul insult insur integr intensifi inter interced intercept interconnect interdepend interfer interject interlac interpenetr interpos interrupt intertwin interven interview interweav intrud intrust inur invad inveigh invent investig invok invulner iodin iron irresolut irrever italic itch item jabber jam jar jeer jeopard jerk jest jilt jimmi jive job jog joggl jolt jostl judg jumbl junior juxtapos key kick kid kidnap kiss knead kneel knit knock korean label lace lacer lag lam lamin lampoon languish lash latch launch law lax laze leap leaven leg legisl lend lessen letter levi lick lighten lightweight linguist link lioniz literatur load loath lob lobular lock logist loiter longhand loom loosen lope loung lug luminesc lurch lure lurk lyophil lyric madrig mail male malign maltreat maniac manifest manipul manner marbleiz march marin market mash masquerad mass massacr mastermind matricul matter matur maxim mediat medit medium melancholi melt member mend merg mesmer metal metamorphos meteorit mew middl mingl minut miscarri misconstru misfir misgaug misjudg mislay misnam misperc misquot misread misrepres mistrust misunderstand misus miter mitig moan mobil modifi moisten molest mollifi money monitor monopol month moo mop moral moralist morn morpholog morphophonem mother motiv mouth movement mow muck mull multipl mumbl murder murmur muse muster mystifi nab nag nail narcot nazi necessit neglect negoti negro nestl net nip nonequival northeast notar notch noth notifi nourish novel nucleat nude nudg nurtur nutrient nuzzl obey occlus offend offsaddl offset offstag ogl omit opportun oppress orang ordain ossifi ostrac oust outdist outdo outdraw outfac outfight outgener outgrow outlaw outlin outliv outmaneuv outnumb outplay outrag outrun outsmart outstrip outweigh oval overburden overdr overeat overemphas overexpos overfe overfil overhaul overhear overheat overindulg overlap overlay overload overlook overpow overproduc overprotect overreach overrid overrun overshadow overshoot overstep overstrain overtak overthrow overturn overwork pace pacifi pack pad paddl pall pamper pant paper paralyz pardon pare park parlay parri partak particip pat patient patriot patron pattern paus peac peck peddl peel peep penal penetr pepper perch percuss perish permeat perpetu persever personifi pertain pervad pessimist petrifi phonem photograph pick pictur pilfer pillori ping piss pitch piti pivot plagu plant plastic plat platon pledg pli plod plow pluck plummet plump plung plunk poach poke polar pollut pommel pooch pop popul portend portray pose positivist postpon postul pounc pound powder prais pranc prattl preach prearrang precipit preclud precondit preempt preexist preisol premium presag pressur presuppos prevail pri price prick print prise privileg probe procedur process prod profess proffer prohibit project pronounc propagandist propel prophesi proport proscrib prospect prosper prototyp protrud provoc provok prowl psychopath pucker puff pummel pump punch punctuat punish punt pupat purchas purifi purl purloin purpos putt pyramid quail qualiti quarrel quash quell quench queri quicken quickstep quilt quip quiver race rafter rain rake ralli ram rambl ransack rap rape rasp ratifi rattl reactionari readapt reaffirm realign reap reappear rear rearrang reassail reassembl reassert reassign reawaken rebound rebuff rebuild rebuk rebut recalcul recapitul recaptur reced reckon reclassifi recoil reconcil recondit reconnoit reconsid reconstruct reconven reconvert recopi recount recoup recov recruit recur redden redecor reded redeem redefin redhead redirect rediscov redistribut redund reecho reelect reenact reestablish reexamin refashion refil refin refuel refurbish refut regain regist regret regroup regul rehash reign reinforc reinstal reinstat reinterpret reiter rejoic rejoin relac relearn releas releg relent reli religion relinquish reload relyr remak remand remarri remedi reminisc remit remodel remors remount renam renew reopen reorder reorgan repair repay repeal repel repent rephras replant replenish repress reprimand republican repudi repuls reput request reread rerun reschedul rescind rescu reseal resembl reserv reset resettl reshap resid resift resist resmudg resolut resort respons restock restor resum resurrect resuspend retain retard retch rethink reti retort retrac retract retransl retreat retriev reunit reus rev revamp rever revers revert review revil revis revit reviv revolution rewrit ricochet rid riddl riffl rifl righteous ring rins rip risk rival rive rivet road roam roar roast rob robust roman romantic room roost rotat roughen routin rove rowdi rub ruin rule rumanian rummag ruptur rush rust rustl ruthless sacrific sadden sag sail saliv salut salvag sampl sanction sap sashay satiat satir saut savor savvi saw scab scamper scan scarifi scene scent schedul scoff scold scoot score scowl scrambl scratch scratchi scrawl scream scribbl scribe scroung scrub scrutin scud scuff scuttl seal sear search season seat seced section seduct segment senior sensat sensual serial servic sew shackl shade shambl shape sharpen shatter shave shed shelv shi shimmi ship shiver shock shorten shoulder shove shrink shroud shrug shudder shuffl shun shuttl sicilian sicken sidestep sidl sift sigh signifi simmer simplifi sin sink sinusoid sip sire situat sixti size skedaddl skeptic skid skip skylark slack slacken slam slap slaver slime slink sluic slump slurp smack smash smell smirk smite smoke smuggl snag snap snarl snatch sneak sneer snicker sniff snigger snoop snort snub soak sob societi soften soil solder solicit sonor sorrow sort sourc sous sovereign sow space spacious spang sparkl spear spearhead speed spill spin spirit spit spite splash splatter split spoil sport spot spout sprain sprawl spring sprinkl sprint sprout spurn squawk squeak squeez squelch squint squirm squirt stab stack stage stalk stammer stamp statement steer stem stereotyp steril stick stiff stiffen stifl stilt stimul stipul stoic stoke stomp store stow straddl strafe straighten strain strangl streak stream street strew strip stripe strive strop struggl strum stud student stutter stylist sub subcontract submerg submiss subordin subpoena subscrib subsid substitut subtend subtitl subtract subvert succumb suck sue suffic suffoc suffus suit sulphur summar summon sunder superimpos superl supernatur supersed supervis supplant supplement supplic suppress surfeit surg surmis surpass surplus surrend survey suscept suspect sustain swab swallow swap swarm sway swell swerv swim swindl swipe swirl swish swiss switch swivel swoon swoop syllab sympath synchron synonym synthes synthesis system tabl tabul tack tactic tag tap taper tarnish tarri tast taunt tax teas teem teeter telephon temperatur tempt term termin testifi tether thank theori theoriz thousand thrash thrill throb thrust thud thump thunder thwart tibetan tie tighten tile tomorrow tone top toppl tortur town trace trade trail tramp trampl transcend transcrib transfer transfix translat transmit transpir transplant transpos travers tread tree trespass trickl trim tripl trot troubl trudg trundl tuck tug tumbl tweez twiddl twin twine twinkl twist twitch typifi ultraviolet unclasp uncork uncov uncurl underestim underli underlin undermin underpin underr underscor underst underwrit undo undress undul unearth unemploy unfold unhitch uniniti unit unlac unlash unleash unload unmask unpack unravel unreal unscrambl unscrew unselfconsci unselfish unsheath unteach unthaw unti unveil unwind unwir updat upgrad uphold upholst uplift uproot upset usher usurp util valid vanquish variant veer veil ventur verifi veteran vex vie violat virtuoso virul vivifi volunt vouch vouchsaf vow wade waft wag wage waggl wail waiv wake wall wallop wallow wane wangl war warbl warn warp warrant wash wast waterproof wave waver waylay weaken weatherstrip weav week weld wend west whack wheedl wheel wheez whet whimper whine whinni whip whirl whisk whisker whisper whistl whiten wholesal whoop widen wield wife wiggl wilt winc wind window wink winnow wipe wisecrack wit withdraw withhold withstand woo wood woolen woolgath worsen worthless wrath wreak wreck wrench wriggl wring yanke yap yawn yearn yell zero zigzag zip zoom
95 abil aborigin abort abridg absenc absorpt abstrus accessori account accredit accultur acid acquaint acquiesc acr adjourn adjud admiss adolesc adult adulter advantag adventur advertis aerial aerosol affair affili affin affront afternoon agenc agent agglomer agreement alderman align alli allig alpha amateur amateurish ambush america ammoniac analysi anchor angel anger angl anguish anion annihil anod antagonist anteced anxieti apolog apparatus apprais apprehens apprentic april arc archangel arctic argument arid arithmet armi array arrow articl aspect aspir assault assay assent assidu assumpt atlant atmospher atom atrophi attic attir audit autom avers award background backstag bag bait ball band bank banter barg bargain bark barn barrel barricad basebal basi bastard bath batteri bay beam bed bedroom bee beetl beggar behavior belch belief belt bench bent besieg beta bias bicker bill bird bit blade blanket blare bleat blemish bloat blockad blood blossom blunder bluster bog bogey bomb bond boot border bottl bottom box braid brain branch brand breach breakfast bribe bridg brigad brim bristl broadcast broadsid brook brother brutal brute bubbl buck buckl bud budget buff buffer bug bulk bull bullet bulletin bum bunch bundl bunker burden burrow button cabl calibr calumni camera campaign can candi candid canon canvass cap capac capacit caper capit captain career cart cash castig cat catalogu categori cattl caution cement centenni ceremoni chain chair chamber champion channel chapter charact charcoal chart charter chatter cheek chest chicago chicken chin chip chlorin choic chorus christ chuck ciliat cipher circl circul circumst citizen clairvoy clap clash class clatter claw climax clip cloak clock club cluck cluster cm coach coast coat code coffe cogniz coil coin collar colleg colon colonel column comb combat combust comedi commiser commiss commune communism companion comparison compens complement compliment compon composit comrad con conceit concept concert condens confer conflict conform congress conjectur connot conscienc conscript consent consol consum contempt contest contradict contrit contriv controversi converg convict cop copi core cork corps corral correl costum couch counsel counterattack counterbal counterpoint counti coupl courag cow coward coy crab crackl cradl cramp creatur crest crew crime crimin croak crop crow crunch crystal cube cup curb curios curtain cushion cuss custom cycl dalla dam darl date daughter dawn debat debut decad decay deceit deceler decre default defici deflect degrad delin demarc demor deprav depreci depress depth derelict deris descript desecr desk despoil despot deterg deviat devic devil diagram dialect diamet dictionari difficulti dimens din dinner director dirt disadvantag disapprov disassembl disburs discontinu discount discoveri discret discrimin diseas disenfranchis disengag disgrac disk disobedi disparag dispatch dispens displac disreput dissect dissent dissolut district dive divis divorc dock doctrin document dollar dose dot dozen draft drama drawl drizzl drug drum dust duti dye dynamit ear easter echo eclips economi edit efficaci effluent egg egotist eject elat elbow electron element elev elut eman emigr emphasi employe enamel encamp encroach endeavor energi engin england enterpris entranc entri envelop environ equat equival eros error essay esteem europ evacu evangelist evapor exacerb exampl excis excus execut exig expans expedit expenditur expert explan export extent extrapol facil factor factori failur fame fan fanat fare farmer fate fatigu fault favorit fawn feast feather fenc festiv fiddl fig finger fish fist fistfight flag flail flame flank flare flesh flight floccul flock floor flower fluid fluoresc flurri flutter flux foam fog foil fold folklor food fool foresight forest fork format formula fort fraction fratern freckl freedom frequenc frolic frost froth fruit fuel fullback fume fund funnel furlough furrow gag gambl garag garden garland garrison gas gate gaug gentleman georgian gestur ghost giddi gift glass glib glimps glori glove glutton glycerol goad goal gold gore gown grade gram granul graph grass greas grill groov growl growth guest gulp guy gymnast gyrat habit hack hair hall hammer har harbor harm harmoni harp harvest hat hatch hawk hazard headlin health heap heaven hedg height hen herd hero hex hijack hike hill hiss histolog historian holder hole holler holm homer honey honeymoon honour horror hospit host hotel howl hr huckster hulk hum hunch hunt hurdl hypertrophi hypocrit ice ideolog idol illus imag immun impact imping implic importun imprec imprint imprison impuls inch incit incom incompet incorrupt incub inculc indecis index indict indors induct infect infer infiltr infirm inflect inhibit injuri innov insinu instanc instil instrument insubordin insular intang interact interchang interior interrel interrog intersect interv intimid inton intrigu introject intrus intuit inund invalid invest irrig irrupt ital jab jacket jail jaw jesuit jet jew jewel jig jockey joke journey joy judgment june junk juri justic keynot king kitchen knee knight knot knowledg labor laboratori labour ladi lament landscap languag languor lao lap laps latin layer leader leadership leaf leagu leak leas leather lectur legibl length lengthen lexicostatist licens lieuten lilac lip litter loaf loan lodg log logarithm loop loot lord loss lot lull lumber lump lunat lunch lung lust machin malevol maling mandat maneuv manifold manual manufactur map mar marriag marshal mask massag mast master mat mate matriarch may meal mediocr melodi membership membran memori men menac mercenari merci mercuri merit mesh messag metaphor meter mexican mg micrometeorit migrat mile milk mill milligram mine miniatur minist mire mirror misanthrop miscalcul misinterpret mismanag mission mist mistak model mold monarch monday monochrom monument mood moon mortar motion motor mould mountain movi mud muddl muscl mustach mutil mutin napoleon narrat navig neck needl neighbor neighborhood nest network neuter news newspap nicknam nodul nois nonconformist nonsens nose notion novemb nurs obliter obstruct obtrus occas occup occurr offens oil onset opinion orbit orchestr organis ornament overcast overestim overflow overtim owner oxid oxygen pa packag padlock page pair palm pan panel panic pansi pantomim papa paperback parad paraphras parasit parcel parent pari parodi parrot parti particl partit partner passag pastor patch patent path patrol paw payment peak pear pelt pen pencil percent percentag percept percol perfor perfum permiss perpetr persecut personnel perturb perus pet petal petit petition phantom phase phenomenon philosophi phone phrase pianist picket picnic piec pile pilot pin pinpoint pioneer pipe pirat pit plane planet plank plaster player pleasur plot plug plunder pocket poison pole polic polici poll polynomi pond pool porch pore portion post pot potter pouch predic prefac premier presenc presid presumpt prey pride princ principl prize procrastin procreat procur professor promulg proof prop propag properti prosecut protein protuber provis puls pulsat punctual purg purgatori purs quack quadrupl quak quantiti quarter queen quest quirk racist rack radiat radio rage raid rail rank raptur ratio ravag reaction reactiv reader readjust realiti rebel recept recess recit reclus recognit recollect recreat rectifi recuper redempt redress reduct reel reenforc reevalu reflex reform refrain refriger rehabilit rehears reimburs rein reissu relationship relay relief relish reliv remonstr rent renunci reorient repetit repos represent reprint reproach reprob requisit research residu resili reson resourc restat retail retali retent retrospect revel reveng reverber revolt revolv reward rhyme rig rim ripen rippl ritual river robe rock role roleplay romp roof root rose rot rotund rout row rubric rumbl rumor rut sack saddl safeguard safeti sage sale salesman salin salt sand satur saturday scale scandal scar sceptic scheme scholar scof scour scout scrap scrape screech screen scrimmag scriptur sculptur sea secretari secular seed self sentenc sentiment sequenc serenad seri serum session sewag sex shadow shame shear sheet shell shelter shepherd shield shirk shirt shoe shop shore shot shovel shower shred shriek shunt siames siev sight signal silenc silhouett singsong sir sister site sketch skim skin skirmish skirt skulk sky slate slaughter slave slice slick sling slipper slit slop slope slot slug slumber snake snare snore snow snowbal sock solac solo solut son song soul southwest spade span spanish spark spatter speci specialist spectrum speech speechless spell spi spice spinnabl spiral splice splinter spong spotlight spray spur sputter squeal stabil staff stagnat stake stall stamped star station status steel stereo stew sting stitch stock stomach stone stori storm strand strap straw strength string stroke stroll strut stuff stump stunt style styliz subjug subsist substanc sugar sulfur sulki sum summat summer sun sunday superintend suppl swamp swan swash swath sweat sympathi tackl tact taint tale talent tamper tan tape target task tat taxi taxpay teacher team techniqu teenag telegraph televis temper tendenc tension tent territori terror text textur thaw thermostat thread threat thresh throat throng throttl thumb thyroid tick timber tinker tinkl tint tip tissu titl toast toll tongu tool tooth topic torment tour tower track traitor tranquil transact transfus transgress transit transmiss transmut transport trap treason treasur treatment trend trepid trial trigger trip triumph troll troop truck trumpet truth tsh tsunami tube tudor tuft tune tunnel tutor tutori twig ulcer union uniti untruth upris uptown vacat vacuol vacuum vagabond valley variat varieti vault veget vein veloc vent ventil versatil vest vet veto vibrat victim victori vigil villag villain vindic virgin virginia vision volit volum vomit wad wagon washington wavelength wax wean weapon weather wed wedg weight wharf whiff while whir whiski whiz whorl widow wing winter wire worker worship wrack wrangl wreath wrestl wrinkl writer yank yard yelp zest zionist
`;

/** Words that mean nearly the same: a stem, then others with how much they count, in percent. */
export const RELATED = `
abdomen abdomin35
abdomin abdomen35
abil qualiti20
abolish abolit35
abolit abolish35
abov section20 subdivis20
abrupt short20 sudden20
absenc absent35 defici20 lack20
absent absenc35 absente35
absente absent35
absolut abstract20 perfect20 sheer20 utter20
absorb absorpt35 assimil20 engross20 intent20
absorpt absorb35
abstract abstractor35 concept20 construct20
abstractor abstract35
absurd bunk20 nonsens20 ridicul20 situat20
academ academi35 academia35 educ20
academi academ35 academician35
academia academ35
academician academi35
accel acceler35
acceler accel35 acceleratori35 alter20 chang20 speed20
acceleratori acceler35
accent accentu35 emphasi20
accentu accent35
accept attitud20
access right20
accid accident35
accident accid35
accommod adapt20 fit20 suit20
accompani accompanist35
accompanist accompani35
accomplish achiev20 action20 attain20 fulfil20
accord agreement20 allot20 consequ20 harmoni20
account histori20 record20
accumul collect20 compil20
accuraci qualiti20
accus accusatori35
accusatori accus35
ace figur20 one20 uniti20
ach pain20
achiev accomplish20 action20 attain20
acid acidifi35 acidul35 compound20
acidifi acid35
acidul acid35
acknowledg admit20
acquir acquisit35
acquisit acquir35
act actabl35 action35 actor35 actuat35 activ20 behav20
actabl act35
action act55 activ20
activ act20 action20 fight20 spark20 trigger20
actor act35 perform20
actual realli20
actuat act35
acut accent20
adapt adaptor35 accommod20
adaptor adapt35
add addabl35 adder35 addibl35 addit35
addabl add35
adder add35
addibl add35
addit add35 compon20 constitu20 element20
address addresse35 code20
addresse address35
adequ enough20
adher adhes35
adhes adher35
adjac next20
adject adjectiv35 modifi20
adjectiv adject35
adjust adjustor35 advanc20 alter20 improv20
adjustor adjust35
administ administr35
administr administ35 chief20 direct20 dispos20 head20 manag20
admiss admit35 entranc20 entri20
admit admiss35 admitt35 acknowledg20
admitt admit35
adopt adopte35 borrow20
adopte adopt35
adult adulthood35 individu20 mortal20 person20 someon20 soul20
adulthood adult35
advanc improv20 progress20 travel20
adventur adventurist35 chanc20 labor20 project20 risk20 task20
adventurist adventur35
advertis promot20 public20
advic propos20
advis advise35 advisor35 advisori35 counsel20 notifi20
advise advis35
advisor advis35
advisori advis35
advoc advocaci35 individu20 mortal20 person20 preach20 recommend20
advocaci advoc35
aerat action20 activ20 apparatus20
aerosol aerosolis35 cloud20
aerosolis aerosol35
affair concern20 matter20
affect affected35 affection35 feel20
affected affect35
affection affect35
affirm affirmatori35 assert20 confirm20 swear20
affirmatori affirm35
affix affixi35
affixi affix35
afford yield20
africa african35
african africa35 individu20 mortal20 person20 someon20 soul20
afternoon day20 daylight20
afterward later20
age properti20
agenc agent35 agenti35 offic20
agent agenc35 agenti35 caus20
agenti agenc35 agent35
agglutinin antibodi20
agon agoni35
agoni suffer40 agon35 agonis35 agonist35 hurt20
agonis agoni35
agonist agoni35
agre agreeabl35 agreement35 concur20
agreeabl agre35
agreement agre35 correspond20 statement20 understand20
agricultur agriculturist35 busi20 farm20
agriculturist agricultur35
aid resourc20
ail ailment35
ailment ail35 complaint20 disord20 upset20
aim end20 goal20 intent20 object20 purpos20
air airi35 gas20
airi air35
airplan plane20
alarm alarmist35 alert20 dismay20 fear20
alarmist alarm35
alaska alaskan35
alaskan alaska35
alert alarm20 prepar20 readi20
alien foreign20
alleg say20
alloc allocat35
allocat alloc35
allot accord20 assign20 part20 percentag20 portion20 share20
allow part20 percentag20 permit20 portion20 share20
allud allus35
allus allud35 mention20 refer20
almost near20 virtual20
alon entir20 exclus20 lone20 sole20
aloud loud20
alter adjust20 chang20 occurr20 vari20
alterc quarrel20 row20 word20 wrangl20
altern relief20 substitut20
altogeth complet20 entir20 total20 whole20 wholli20
alumin aluminum35
aluminis aluminum35
aluminum alumin35 aluminis35 metal20
alveol alveolus35
alveolar alveolus35 conson20
alveolus alveol35 alveolar35
alway ever20
amateur individu20 mortal20 person20 someon20 soul20
amaz astonish20 feel20 puzzl20
ambassador ambassadori35 ambassadorship35
ambassadori ambassador35
ambassadorship ambassador35
ambigu express20
ambit ambiti35 desir20
ambiti ambit35
amend amendatori35 better20 improv20
amendatori amend35
america american35
american america35
ammunit arm20
amount number20 sum20 total20
ampl ampli35
ampli ampl35
amplitud shift20
analysi analyt35 analyz35 investig20
analyst analyz35 expert20
analyt analysi35
analyz analysi35 analyst35 examin20 studi20
anastomosi anastomot35 conjunct20
anastomot anastomosi35
anatom anatomi35 express20
anatomi anatom35 anatomis35 anatomist35 figur20 flesh20
anatomis anatomi35
anatomist anatomi35
ancestor ancestr35
ancestr ancestor35
anchor anchorag35 claw20 ground20 hook20
anchorag anchor35
andrena bee20
anecdot anecdotist35 account20 report20
anecdotist anecdot35
anem anemia35
anemia anem35
anger emot20
angl angler35 space20
angler angl35
anglican protest20
angri angrili35
angrili angri35
anguish distress20 hurt20 suffer20 tortur20
anim animalis35 beast20 creatur20 organ20
animalis anim35
anion deterg20
ankl anklet35
anklet ankl35
anniversari day20
announc declar20 proclam20 statement20
annoy bother20
answer repli20 respond20 result20 solut20 statement20
antagon antagonist35
antagonist antagon35 individu20 mortal20 person20 someon20 soul20
antenn antenna35
antenna antenn35 antennari35
antennari antenna35
anthropolog anthropologist35
anthropologist anthropolog35
anti individu20 mortal20 person20 someon20 soul20
antibodi protein20
anticip expect40 anticipatori35 counter20
anticipatori anticip35
antigen substanc20
antiserum serum20
anxieti anxiolyt35
anxiolyt anxieti35
anyhow anyway20
anyway anyhow20
appal experi20
appar evid20 plain20 seem20
apparatus equip20
appeal appel35 charm20 request20
appear look20 qualiti20 seem20
appel appeal35
appendix supplement20
applaus approv20
appli applic35 applicatori35 applier35 employ20 util20
applic appli35 employ20 exercis20 individu20 mortal20 person20
applicatori appli35
applier appli35
appoint appointe35 conclus20 constitut20 decis20 determin20 engag20
appointe appoint35
appreci apprehens20 hold20 understand20
apprehend apprehens35
apprehens apprehend35 dread20 fear20 understand20
apprentic apprenticeship35 initi20
apprenticeship apprentic35
approach come20 formul20 near20
approb approv35
approbatori approv35
appropri conquer20 reserv20
approv approb35 approbatori35 sanction20 support20
approxim estim20 rough20
arc arcuat35
arch curv20
archbishop archepiscop35 archiepiscop35 bishop20
archepiscop archbishop35
archiepiscop archbishop35
architectur build20
arcuat arc35
area areal35 region20
areal area35
argon element20
argu arguabl35 arguer35 argument35 contend20 reason20
arguabl argu35
arguer argu35
argument argu35 content20 controversi20 evid20 statement20
aris origin20
aristotelian aristotl35
aristotl aristotelian35
arm armament35 armlet35 armor35 limb20
armament arm35
armi servic20
armlet arm35
armor arm35
arous awak20 awaken20 elicit20 evok20 provok20 wake20
arrang prepar20 provis20
array arrang20
arrest captur20 collar20 nail20
arriv accomplish20 achiev20 come20
arrow mark20
art arti35 artist35 creation20 disciplin20 field20 studi20
arteri arterioven35
arteriol arteriolar35
arteriolar arteriol35
arterioven arteri35
arti art35
articl piec20
artilleri gun20
artist art35
ascertain determin20 ensur20 insur20
asia asian35 asiat35
asian asia35
asiat asia35
asid speech20 word20
ask asker35
asker ask35
aspect aspectu35 characterist20 featur20
aspectu aspect35
assail assault20
assassin murder20
assault assail20 battl20 conflict20 engag20 fight20
assembl assemblag35 gather20 machin20
assemblag assembl35
assent assenti35 agreement20
assenti assent35
assert affirm20 swear20
assess assesse35 assessor35 evalu20
assesse assess35
assessor assess35
assign assigne35 allot20 deleg20 design20 duti20
assigne assign35
assimil assimilatori35 absorb20
assimilatori assimil35
assist worker20
associ associatori35 connect20 equal20 link20 match20 organ20
associatori associ35
assum assumpt35 presum20
assumpt assum35 postul20
assur confid20 ensur20 guarante20 insur20
astonish amaz20 feel20
atmospher condit20 status20
atom atomis35 nuclear20 substanc20
atomis atom35
atroph atrophi35
atrophi atroph35
attack oper20
attain accomplish20 achiev20 reach20
attempt activ20 effort20 endeavor20 essay20 undertak20
attend attent35
attent attend35 care20
attitud attitudin35 attitudinis35 knowledg20 postur20
attitudin attitud35
attitudinis attitud35
attorney attorneyship35 lawyer20 profession20
attorneyship attorney35
attract attractor35 forc20 pull20
attractor attract35
attribut concept20 construct20 dimens20
audienc gather20
author authori35 authorship35 control20 govern20 instrument20 writer20
authori author35
authorship author35
automat automaton35
automaton automat35
automobil automobilist35 automot35 car20
automobilist automobil35
automot automobil35
autumn fall20 season20
averag mean20 norm20 ordinari20 statist20
avers avert35
avert avers35 avoid20
avoid avert20
aw dread20 frighten20 terribl20 unspeak20
awak arous20 awaken20 wake20
awaken arous20 awak20 wake20
awar conscious20
award grant40 honor20
away forth20
awe admir20
axi line20
babbl babbler35
babbler babbl35
babe babi20 child20 kid20
babi babyhood35 babe20 child20 kid20
babyhood babi35
back backer35 backward20 endors20 rearward20
backer back35
background heritag20
backward back20 rearward20
bacteri bacteria35 bacterium35
bacteria bacteri35
bacterium bacteri35
bad ill20 poor20 qualiti20 serious20 sever20
badg emblem20
bag bagger35 contain20
bagger bag35
bake baker35
baker bake35
balanc equilibrium20
ballad song20
ballplay athlet20 player20
ban decre20 order20 prohibit20
band circl20
bang banger35 blast20 blow20 clap20 slam20 smash20
banger bang35
bank bankabl35 banker35 inclin20 side20 slope20
bankabl bank35
banker bank35
baptism baptiz35
baptiz baptism35
bar block20 room20 saloon20
barbel weight20
bare hard20 nake20 scarc20
barg barge35 boat20
barge barg35
bark barker35 barki35 cover20
barker bark35
barki bark35
barrel tube20
basement cellar20 floor20 level20 stori20
basi foundat20
basic essenti20 fundament20
bask enjoy20 savor20
basket contain20
bastard bastardis35 prick20
bastardis bastard35
bat batter35
bath bather35 swim20 vessel20
bather bath35
bathroom room20
batter bat35 ballplay20
batteri artilleri20
battl battler35 action20 combat20 engag20 fight20 struggl20
battlefield field20 tract20
battler battl35
bawl bawler35 bellow20
bawler bawl35
bay water20
bayonet knife20
beach format20
beam beami35 shine20 sign20 signal20
beami beam35
bear bearabl35 bearer35
bearabl bear35
bearer bear35
beast anim20 creatur20 organ20
beat beatabl35 beater35 path20 rout20
beatabl beat35
beater beat35
beauteous beauti35
beauti beauteous35 beautician35 beautifi35 appear20
beautician beauti35
beautifi beauti35
beckon wave20
bedroom room20
beebread composit20
beef cattl20 cow20 oxen20
beer beeri35
beeri beer35
beg beggari35 pray20
beggari beg35
begin beginn35 commenc20 occurr20 start20
beginn begin35
behalf place20 posit20
behav act20
behavior behaviour35 activ20 conduct20
behaviour behavior35
behind seat20
belief believ35 content20 feel20 impress20 notion20
believ belief35 conceiv20 think20
belli stomach20
bellow bawl20 call20 cri20 holler20 roar20 shout20
belov dear20 lover20
bench seat20
bend bendabl35 bender35 curv20 turn20
bendabl bend35
bender bend35
benefic benefit35
benefici benefit35
benefit benefic35 benefici35 payment20 profit20
beset plagu20
besid likewis20
best attempt20 effort20 endeavor20
bet better35 bettor35
better bet35 amend20 good20 improv20
bettor bet35
bewild confus20
bibl biblic35 scriptur20
biblic bibl35
bicycl bicyclist35
bicyclist bicycl35
bid biddabl35 bidder35 command20
biddabl bid35
bidder bid35
big larg20
bigger larger20
bill instrument20
bind bindabl35 binder35 binderi35 attract20 bond20 check20
bindabl bind35
binder bind35
binderi bind35
binomi quantiti20
biolog biologist35
biologist biolog35
bird birder35
birder bird35
birdi score20
birth begin20 first20 offset20 start20
birthday anniversari20
bishop priest20
bit bitti35
bite biter35 sting20 wound20
biter bite35
bitter resent20
bitti bit35
blade foliag20 leaf20
blamabl blame35
blame blamabl35 blameabl35 blameworthi35 fault20 rap20
blameabl blame35
blameworthi blame35
blanket cover20
blast blaster35 bang20 boom20 clap20 fli20 smash20
blaster blast35
blatanc blatant35
blatant blatanc35
blaze fire20 flame20
bleed bleeder35
bleeder bleed35
blend blender35 mix20 mixtur20
blender blend35
blind blinder35 peopl20
blinder blind35
blink blinker35 reflex20
blinker blink35
bloat lump20
block blockag35 blocker35 blocki35 bar20 hinder20
blockad action20
blockag block35
blocker block35
blocki block35
blood bloodi35 humor20
bloodi blood35 bloodili35
bloodili bloodi35
bloom bloomer35 blossom20 flower20
bloomer bloom35
blossom bloom20 flower20 unfold20
blot blotter35 defect20 mar20
blotter blot35
blow blower35 blowi35 stroke20
blower blow35
blowi blow35
blue blueness35
blueness blue35
bluff bluffer35 bluffli35 bank20
bluffer bluff35
bluffli bluff35
blur blurri35 represent20
blurri blur35
blush blusher35 flush20
blusher blush35
bluster blusteri35 boast20 confus20
blusteri bluster35
board boarder35 commiss20 committe20 plank20 room20
boarder board35
boast boaster35 bluster20 featur20 sport20
boaster boast35
boat boater35 vessel20
boater boat35
bob bobber35
bobber bob35
bodybuild individu20 mortal20 person20 someon20 soul20
boil boiler35
boiler boil35
bold case20 face20
bolt lightn20 stiffli20
bomb bomber35 bomblet35 arm20
bomber bomb35 airplan20 plane20
bomblet bomb35
bond bondabl35 attract20 bind20
bondabl bond35
bone bonelet35 boney35
bonelet bone35
boney bone35
book bookabl35 booker35 booklet35 employ20 public20 work20
bookabl book35
booker book35
booklet book35
boom blast20 din20 nois20 roar20 smash20 thunder20
boost booster35 aid20 encourag20
booster boost35
border bound40 boundari20 margin20 surround20
bore borer35 drill20
borer bore35
borrow adopt20
boss bossi35 chief20
bossi boss35
bother annoy20 disturb20
bottl bottler35 vessel20
bottler bottl35
bottom face20 side20
bough limb20
bounc bouncer35 bounci35 leap20 snap20
bouncer bounc35
bounci bounc35
bound boundari55 bounder35 border20 edg20 jump20 leap20
boundari bound55 edg20
bounder bound35
bourbon reactionari20
bow knot20
box boxer35 boxi35 contain20 packag20
boxer box35
boxi box35
boy boyhood35 male20
boyhood boy35 childhood20
brace bracer35 pois20 steadi20 support20
bracer brace35
brain braini35 wit20
braini brain35
branch branchi35 divis20
branchi branch35
brand name20
brass brassi35 brasslik35
brassi brass35
brasslik brass35
brave endur20
break breakabl35 breakag35 breaker35 interrupt20 occurr20
breakabl break35
breakag break35
breaker break35
breakfast meal20
breath breather35 activ20
breather breath35
breez breezi35 wind20
breezi breez35
bridg bridgeabl35 construct20 structur20
bridgeabl bridg35
brief briefli35 instrument20
briefli brief35
bright light20
brillianc brilliant35
brilliant brillianc35 superb20
brist bristl35
bristl brist35 fiber20
britann british35
british britann35 countri20 land20 nation20
broad extens20 wide20 woman20
broadcast messag20
broaden extend20
bronchial bronchus35
bronchiol bronchiolar35 channel20
bronchiolar bronchiol35
bronchus bronchial35
brood brooder35 birth20 dwell20
brooder brood35
brother brotherhood35
brotherhood brother35
brow featur20 forehead20
brush brushi35 thicket20
brushi brush35
bubbl bubbler35
bubbler bubbl35
buckskin mount20
bud bloom20 blossom20 flower20
buddi friend20
budget budgetari35 fund20
budgetari budget35
buff buffer35
buffer buff35 compound20
build construct40 builder35 structur20
builder build35 materi20 stuff20
bulb bulbac35 bulbar35 bulblik35 bulbous35 stalk20 stem20
bulbac bulb35
bulbar bulb35
bulblik bulb35
bulbous bulb35
bulg bulgi35 project20
bulgi bulg35
bulk bulki35 figur20 major20 number20 volum20
bulki bulk35
bull cattl20 cow20 oxen20
bullet missil20 slug20
bumblebe bee20
bunch bunchi35 clump20 cluster20 crowd20 gang20
bunchi bunch35
bundl collect20 packag20 packet20
bunk trough20
burden concern20 headach20 load20 worri20
bureaucraci bureaucrat35
bureaucrat bureaucraci35
burial funer20
burn burnabl35 burner35 pain20
burnabl burn35
burner burn35
burrow hole20 hollow20
burst burster35 explos20 volley20
burster burst35
bush bushi35
bushi bush35
busi busy35 enterpris20 occupi20
busy busi35
butt butter35 stock20
butter butt35
button buttoni35
buttoni button35
buy purchas40 buyer35
buyer buy35
buzz buzzer35 sound20
buzzer buzz35
bypass highway20
cabin compart20
cabl wire40 telegraph20
cack cackl35
cackl cack35
cafe restaur20
cafeteria restaur20
calcul calculus35 comput20 estim20 figur20 forecast20 procedur20
calculus calcul35
calib calibr35
calibr calib35 activ20
california californian35
californian california35
call callabl35 caller35 name20 telephon20
callabl call35
caller call35
calm quiet20 steadi20 still20
camp camper35 campi35
campaign race20
camper camp35
campi camp35
canada canadian35
canadian canada35
candid politician20
cannon artilleri20 gun20
canon canonis35 canonist35 rule20
canonis canon35
canonist canon35
canva cloth20 fabric20 materi20 textil20
capabl abil20
capac capaci35 capacit35 capabl20
capaci capac35
capacit capac35
capit capitalis35 capitalist35
capitalis capit35
capitalist capit35
captain captainship35
captainship captain35
captur charm20
car automobil20
carbocycl carbon35
carbon carbocycl35 carbonac35 carbonifer35 carbonis35 carbur35 carburis35
carbonac carbon35
carbonifer carbon35
carbonis carbon35
carbur carbon35
carburis carbon35
card paper20
cardin cardinalship35 bishop20 central20 fundament20 key20
cardinalship cardin35
care attent20 work20
career careerist35 busi20 job20 line20 occup20
careerist career35
caress stroke20
carpent carpentri35
carpentri carpent35
carri transport40 carriag35 carrier35 transfer20
carriag carri35
carrier carri35
cart cartag35 carter35 drag20 haul20 wagon20
cartag cart35
carter cart35
cartoon cartoonist35
cartoonist cartoon35
cartridg ammunit20
carv carver35
carver carv35
case event20 instanc20 occurr20
cash cashabl35
cashabl cash35
cast caster35 gather20 mold20
caster cast35
cat catti35
catalog catalogu35
catalogu catalog35 list20
catch catcher35 catchi35 catchment35
catcher catch35
catchi catch35
catchment catch35
categor categori35
categori categor35 class20 collect20
cathol catholic35 christian20
catholic cathol35 christian20
catti cat35
cattl cattleship35 cow20 oxen20
cattleship cattl35
caus causal35 causat35 induc20 origin20 stimul20
causal caus35
causat caus35
caution cautionari35 cautious35
cautionari caution35
cautious caution35
cavalri troop20
ceas end40 discontinu20 quit20 stop20 termin20
celebr celebratori35 affair20 function20 occas20
celebratori celebr35
cell cellular35 compart20
cellar basement20 floor20 level20 stori20
cellular cell35
cellulos cellulosid35
cellulosid cellulos35
cement cementiti35 concret20
cementiti cement35
centenari centuri35
centenni centuri35
center central35 centric35 area20 concentr20 countri20 focus20
central center35 cardin20 fundament20 key20 work20
centric center35
centrifug apparatus20
centuri centenari35 centenni35 period20
ceremoni affair20 function20 occas20
certain sure20
certif certifi35
certifi certif35 certificatori35 evid20 manifest20
certificatori certifi35
chain seri20
chair seat20
chairman chairmanship35
chairmanship chairman35
challeng disput20 situat20
champion competit20 competitor20 rival20
chanc chanci35 adventur20 fortun20 hazard20 luck20 opportun20
chanci chanc35
chang changer35 alter20 occurr20
changer chang35
channel channelis35 transmiss20 transmit20
channelis channel35
chant chanter35
chanter chant35
chao chaotic35 confus20
chaotic chao35
chapter section20 subdivis20
charact character35 characteris35 characterist35
character charact35
characteris charact35
characterist charact35 attribut20 dimens20 featur20 properti20
charcoal carbon20 fuel20
charg charger35 attack20 onset20
charger charg35
charit chariti35
chariti charit35
charm charmer35 appeal20 captur20
charmer charm35
chart chartist35
chartist chart35
chase chaser35 dog20 motion20 move20 movement20 pursuit20
chaser chase35
chatter talk20
cheap cheapli35 loud20
cheapli cheap35
cheat cheater35
cheater cheat35
check checker35 draft20
checkbook record20
checker check35
checklist list20
cheek cheeki35 featur20
cheeki cheek35
cheer cheerer35 cheeri35 approv20
cheerer cheer35
cheeri cheer35 cheerili35 gay20
cheerili cheeri35
chemic chemistri35 materi20 stuff20
chemist chemistri35 scientist20
chemistri chemic35 chemist35
chest chesti35
chesti chest35
chew chewer35 chewi35 bit20 bite20
chewer chew35
chewi chew35
chief chiefli35 boss20 leader20 main20 princip20
chiefli chief35 main20 primarili20
child childhood35 kid20 minor20
childhood child35
chill chilli35 cold20 cool20 quiver20 thrill20
chilli chill35
chin featur20
china chines35
chines china35
chlorin element20 gas20
choic pick20 select20
choke choker35
choker choke35
choos prefer20 select20
choral chorus35
chore duti20 job20 task20
choric chorus35
chorus choral35 choric35 sound20
christ christian35 jesus20
christendom christian35
christian christ35 christendom35 faith20 religion20
christma season20
chromatograph chromatographi35
chromatographi chromatograph35 action20 activ20
chuckl laugh20 laughter20
church faith20 religion20
churchyard yard20
cigar smoke20
cigarett smoke20
circl circular35 band20 oval20
circuit tour20
circul circular35 circulatori35 dissemin20
circular circl35 circul35 circularis35 advertis20 round20
circularis circular35
circulatori circul35
circumst circumstanti35 condit20 context20 status20
circumstanti circumst35
circus compani20
cite mention20 note20 refer20
citi metropoli20
citizen citizenship35 nation20 subject20
citizenship citizen35
civil civilli35 societi20
civilian citizen20
civilli civil35
claim claimant35
claimant claim35 applic20
clamber climb20 mount20 scrambl20
clamor din20 nois20
clang clangor35
clangor clang35
clap clapper35 bang20 blast20 nois20
clapper clap35
class classifi55 classi35 categori20 collect20 grade20
classi class35
classif classifi35 classificatori35 group20
classifi class55 classif35 classificatori35
classificatori classif35 classifi35
classroom room20
clatter nois20
clay dirt20 soil20
clean cleaner35 improv20
cleaner clean35
clear clearanc35 innoc20
clearanc clear35
clergi cleric35
cleric clergi35 clerk35
clerk cleric35 clerkship35 employe20
clerkship clerk35
clich comment20 remark20
click sound20 tick20
client case20 custom20
climact climax35
climat mood20
climax climact35 culmin20 occas20
climb climber35 inclin20 side20 slope20
climber climb35
clip clipper35 time20
clipper clip35
clock time20
close closer35 closur35 end20 last20 motion20 move20
closer close35
closur close35
cloth dress20 fabric20 textil20 wear20
cloud cloudi35 obscur20
cloudi cloud35
club clubbi35 societi20
clubbi club35
cluck cri20
clue hint20 indic20
clump bunch20 cluster20 lump20
clumsi clumsili35
clumsili clumsi35
cluster bunch20 clump20
clutch grip20 hold20 seiz20
coach manag20
coast coastal35 coaster35 shore20
coastal coast35
coaster coast35
coax coaxer35 cabl20 line20
coaxer coax35
code coder35
coder code35
coffe drink20
coher cohes35
cohes coher35
coin coinag35 coiner35
coinag coin35
coincid accid20 concur20 stroke20
coiner coin35
collabor cooper20
collag imag20 pictur20
collaps ill20
collar collarless35 arrest20 band20 nail20
collarless collar35
colleagu collegi35 associ20
collect collectiv35 collectivis35 collector35 accumul20 compil20 enterpris20
collectiv collect35
collectivis collect35
collector collect35 individu20 mortal20 person20 someon20 soul20
colleg collegi35 bodi20
collegi colleagu35 colleg35
collid collis35
collis collid35 contact20 strike20
colon coloni35
coloni colon35 colonis35 colonist35 bodi20 occup20 resid20
colonis coloni35
colonist coloni35
color colorist35 flag20 negro20
colorist color35
column columnar35 columnist35 file20
columnar column35
columnist column35
comb devic20 ransack20
combat battl40 fight40 conflict20 engag20
combin combinatori35 collect20 compound20
combinatori combin35
come comer35 approach20 arriv20 humor20 motion20 move20
comedi drama20
comer come35
comfort condit20 eas20 status20
comic funni20 perform20
command commandership35 bid20 offic20
commandership command35
commenc begin20 start20
comment commentari35 remark20 statement20
commentari comment35
commerc commerci35
commerci commerc35 advertis20
commiss commission35 commit35 committe20
commission commiss35 administr20 execut20
commit commiss35 committ35 committe35 devot20 sincer20
committ commit35
committe commit35 commiss20
common green20 normal20 ordinarili20 park20 tract20 usual20
commot din20 disord20
communal commune35 communiti35
commune communal35 communion35 communis35
communic communicatori35 act20
communicatori communic35
communion commune35 ritual20
communis commune35
communism communist35 communiz35 social20
communist communism35 politician20
communiti communal35 gather20
communiz communism35
commut journey20
compani establish20 institut20
companion companionship35 comrad20 fellow20 friend20
companionship companion35
compar comparison35 relat20 similitud20
comparison compar35 examin20 scrutini20
compart compartment35 compartmentalis35 space20
compartment compart35
compartmentalis compart35
compass rang20 reach20 scope20
compel compuls35 oblig20
compet competit35 competitor35 competitori35 abil20
competit compet35 contest20
competitor compet35 rival20
competitori compet35
compil accumul20 collect20
complain complaint35
complaint complain35 ailment20 disord20 upset20
complement complementari35 construct20 express20
complementari complement35
complet altogeth20 entir20 finish20 maneuv20 play20 total20
complex complexifi35 complexli35 composit20 qualiti20 whole20
complexifi complex35
complexli complex35
compli complianc35 compliant35
complianc compli35
compliant compli35
complic complicated35 interfer20
complicated complic35
compliment complimentari35 congratul20 prais20
complimentari compliment35
compon part40 compos35 divis20 element20 factor20 portion20
compos compon35 composit35 compositor35 composur35 musician20
composit compos35 arrang20 complex20 placement20 whole20
compositor compos35
composur compos35
compound combin20 intensifi20 whole20
comprehend comprehens35 grasp20 perceiv20
comprehens comprehend35 apprehens20 examin20 test20 understand20
compress compressor35
compressor compress35
compris contain20 incorpor20
compromis cooper20
compuls compel35 individu20 mortal20 person20 someon20 soul20
comput computer35 computeris35 calcul20 machin20
computer comput35
computeris comput35
comrad comradeship35 companion20 fellow20 friend20
comradeship comrad35
conceal hide20
conced concess35 confess20
conceiv concept35 believ20 think20
concentr center20 densiti20 focus20 properti20
concept conceiv35 conceptu35 conceptualis35 idea20 thought20
conceptu concept35
conceptualis concept35
concern interest40 fear20 involv20 pertain20 refer20 relat20
concert concertis35 perform20
concertis concert35
concess conced35
conclud conclus35 reason20
conclus conclud35 decis20 judgment20 mind20
concur concurr35 agre20 coincid20
concurr concur35
condemn condemnatori35 disapprov20
condemnatori condemn35
condit condition35 disciplin20 state20 status20
condition condit35
conduct conductor35 activ20 behavior20
conductor conduct35 musician20
confeder confederaci35
confederaci confeder35
confer leagu20 meet20
confess confessor35 admiss20 conced20
confessor confess35
confid confidenti35 assur20
confidenti confid35
confin limit20 throttl20
confirm confirmatori35 affirm20 proof20
confirmatori confirm35
conflict struggl20
conform agreement20 correspond20
confront face20
confus confused35 bewild20 disord20
confused confus35
congratul congratulatori35 compliment20
congratulatori congratul35
congreg fold20
congress congression35 legislatur20
congression congress35
conjug solut20
connect relat40 connected35 connector35 connexion35 associ20 link20
connected connect35
connector connect35
connexion connect35
connot import20 mean20 signific20
conquer conqueror35 appropri20 suppress20
conqueror conquer35
conscienc conscienti35 moral20
conscienti conscienc35
conscious awar20
consent consentan35 permiss20
consentan consent35
consequ consequenti35 accord20 effect20 outcom20 phenomenon20 result20
consequenti consequ35
conserv conservativ35 adult20
conservat ideolog20
conservativ conserv35
consid consider35 regard20 view20
consider consid35 substanti20 think20 thought20
conson consonant35 phone20 sound20
consonant conson35
conspir conspiraci35
conspiraci conspir35 conspiratori35 agreement20 understand20
conspiratori conspiraci35
constanc constant35
constant constanc35 quantiti20
constitu constitut35 element20 part20 portion20
constitut constitu35 appoint20
constru construal35 interpret20
construal constru35
construct constructor35 build20 idea20 manufactur20 thought20
constructor construct35
consult consultatori35
consultatori consult35
consum consumpt35 down20
consumpt consum35
contact interact20
contain container35 containeris35 content35 contin35 compris20 incorpor20
container contain35
containeris contain35
contamin foul20
contempl reflect20 stare20
contemporari equal20 match20 peer20
contempt contemptu35 disdain20 dislik20 scorn20
contemptu contempt35
contend content35 argu20 postul20
content contain35 contend35 contenti35 argument20 collect20 controversi20
contenti content35
contest conteste35 competit20
conteste contest35
context contextu35 circumst20
contextu context35
contin contain35 continent35
continent contin35
continu continuum35 keep20 proceed20
continuum continu35
contort contortionist35
contortionist contort35
contour shape20
contract contractor35 contractu35 contractur35
contractor contract35 builder20
contractu contract35
contractur contract35
contradict contradictori35 opposit20
contradictori contradict35
contrari opposit40 contrarili35 revers20
contrarili contrari35
contrast contrasti35 opposit20
contrasti contrast35
contribut contributor35 contributori35 attempt20 effort20 endeavor20 impart20
contributor contribut35
contributori contribut35
control curb20 power20
controversi argument20 conflict20 content20 differ20 disput20
conven convent35
conveni comfort20
convent conven35 convention35 meet20 rule20
convention convent35
convers conversationalist35 conversationist35 convert35 languag20 proposit20 shift20
conversationalist convers35
conversationist convers35
convert convers35 convertor35 individu20 mortal20 person20 someon20
convertor convert35
convey conveyor35
conveyor convey35
convict belief20 prison20 sentenc20
convinc posit20
cook cooker35 cookeri35 prepar20 readi20
cooker cook35
cookeri cook35
cool coolant35 cooler35 coolli35 chill20 cold20
coolant cool35
cooler cool35
coolli cool35
cooper collabor20
coordin number20
cop offic20 policeman20
cope brick20 grappl20
copi copyist35 imit20 simul20
copyist copi35
cord cordless35 line20
cordless cord35
core set20
corn corni35
corner area20 countri20
corni corn35
coron investig20
corpor firm20 hous20
corps bodi20
correct corrig35 right20
correspond agreement20 equat20 match20
corrig correct35
cortex cortic35
cortic cortex35
cosmic cosmos35
cosmos cosmic35
cost expenditur20 price20
costum dress20
cotton cottoni35
cottoni cotton35
couch seat20 sofa20
cough symptom20
counsel counsellor35 counselor35 advis20 attorney20 lawyer20
counsellor counsel35
counselor counsel35
count countabl35 counter35 matter20 number20
countabl count35
counten appear20 sanction20
counter count35 anticip20 tabl20
counterpart equival20
counti part20 region20
countri nation20
coupl pair40 coupler35 mate20
coupler coupl35
courag spirit20
cours educ20 instruct20 natur20 teach20
court assembl20
cousin relat20
cover coverag35 coverlet35 blanket20
coverag cover35
coverlet cover35
cow cattl40 oxen40 coward35
coward cow35
crack cracker35 gap20 open20 super20
cracker crack35
crackl nois20
craft crafter35 crafti35
crafter craft35
crafti craft35
crash crasher35 nois20
crasher crash35
crawl crawler35 creep20 motion20 move20 movement20
crawler crawl35
craze crazi35
crazi craze35 crazili35 mad20
crazili crazi35
creak creaki35 nois20 screech20
creaki creak35
creat creation35 creativ35 creator35 creatur35
creation creat35 activ20
creativ creat35
creator creat35
creatur creat35 anim20 beast20 organ20
credit creditor35 approv20
creditor credit35
credo doctrin20 philosophi20
creek stream20
creep creeper35 creepi35 crawl20
creeper creep35
creepi creep35
crest line20
crew unit20
cri holler20 scream20 shout20 weep20 yell20
crime crimin35 criminalis35
crimin crime35 princip20
criminalis crime35
crimson red40
crisi situat20
criteri criterion35
criterion criteri35 standard20
critic criticis35 disapprov20 profession20
criticis critic35
crop harvest20 output20 yield20
cross crossli35 construct20 intersect20 structur20 travers20
crossli cross35
crossroad communiti20
crouch squat20 stoop20
crowd bunch20 gang20 gather20 herd20
crown symbol20
crude cruditi35 oil20
cruditi crude35
cruelti abus20
cruis cruiser35 voyag20
cruiser cruis35
crush crusher35 leather20 squeez20 suppress20
crusher crush35
crystal solid20
cuba cuban35
cuban cuba35
cubism cubist35
cubist cubism35 painter20
culmin climax20
cult cultist35
cultist cult35
cultur societi20
cup contain20
cur curl35
curb control20 edg20
cure medicin20 remedi20
curios curious35
curious curios35 funni20 peculiar20 queer20 singular20
curl cur35 curler35
curler curl35
currenc current35
current currenc35
curricular curriculum35
curriculum curricular35 inform20
curs oath20 swear20
curtail restrict20
curtain blind20 drape20 screen20
curv curvatur35 curvey35 curvi35 line20 sheer20 swerv20
curvatur curv35
curvey curv35
curvi curv35
custom customari35 client20 consum20 pattern20 practic20 surviv20
customari custom35 customarili35
customarili customari35
cut cutter35 part20 percentag20 portion20 reduc20 share20
cutter cut35
cycl cyclic35 cyclist35 interv20 round20
cyclic cycl35
cyclist cycl35
cylindr cylindric35
cylindric cylindr35
daili newspap20 paper20
damag alter20 chang20 harm20
damn damnat35 damnatori35 darn20 peopl20
damnat damn35
damnatori damn35
damp damper35 dampli35 moist20
damper damp35
dampli damp35
danc dancer35 art20 divers20 recreat20
dancer danc35 perform20
danger condit20 grave20 risk20 status20
dare challeng20
dark shadow20
darn damn20
dart darter35 dash20 missil20
darter dart35
dash dart20 smash20
data collect20
date day20
datum inform20
dawn hour20
daylight period20
daze stupid20
dead deadli35 peopl20
deadli dead35
deaf peopl20
deal dealer35 plow20
dealer deal35 dealership35 merchant20 trader20
dealership dealer35
dear belov20 honey20 lover20
death alter20 chang20
debat discuss20 word20
debri dust20
debut begin20 entri20 introduct20 start20
dec decemb20
decad decay35 period20
decay decad35 action20 activ20
deceas gone20 individu20 mortal20 person20 someon20 soul20
deceiv decept35
decemb dec20
decenc decent35
decent decenc35 fit20 nice20 proper20
decept deceiv35
decid decis35 resolv20 settl20
decis decid35 choic20 conclus20 pick20 select20
deck platform20
declar declaratori35 announc20 statement20
declaratori declar35
declens declin35
declin declens35 decreas20 refus20 reject20
decompos decomposit35
decomposit decompos35
decor grace20
decre act20
decreas alter20 chang20 diminish20 lessen20
deduc deduct35 deriv20
deduct deduc35 subtract20 withhold20
deep deepli55 middl20
deepli deep55 profound20
defeat defeatist35 conclus20 failur20 finish20 frustrat20 kill20
defeatist defeat35
defect defector35
defector defect35
defenc defend35
defend defenc35 defens35
defens defend35 action20 attitud20
defi resist20 withstand20
defianc defiant35
defiant defianc35
defici demand20 lack20
defin definit35
definit defin35 account20 explan20
degre level20 properti20 stage20
delay break20 interrupt20 paus20 suspens20 wait20
deleg delegaci35 assign20 design20 repres20
delegaci deleg35
delight pleasur20
deliv deliver35 deliveri35
deliver deliv35
deliveri deliv35
demand necessit20 petit20 request20 requir20
democraci democrat35 ideolog20 republ20
democrat democraci35 politician20
demonstr show40 present20 prove20
dens densiti35
densiti dens35 concentr20
depart department35 departur35 divis20 vari20
department depart35
departur depart35 act20 differ20
depend receiv20 reliabl20 state20
depict describ20 pictur20
deposit depositor35 lodg20 stick20
depositor deposit35
depriv strip20
depth extent20
deput deputi35
deputi deput35 deputis35
deputis deputi35
derid deris35
deris derid35
deriv deduc20 gain20
descend descent35 fall20
descent descend35 origin20 travel20
describ descript35 depict20 report20
descript describ35 statement20
desert tract20
deserv merit20
design assign20 deleg20 plan20
desir feel20 hope20
desk tabl20
despair desper35 condit20 status20
desper despair35 unfortun20
despis disdain20 scorn20
destin doom20 intend20
destini fate20 occurr20
destroy destruct35 ruin20
destruct destroy35 conclus20
detach isol20 separ20
detail elabor20 fact20 item20
detect detector35 discov20 find20 notic20 observ20 offic20
detector detect35
determin find40 ascertain20 discoveri20 influenc20 shape20
develop development35 evolut20 evolv20 improv20
development develop35
devil devilri35 deviltri35
devilri devil35
deviltri devil35
devis devise35 formul20 invent20
devise devis35
devot devote35 devoted35 commit20
devote devot35
devoted devot35
diagnos diagnosi35
diagnosi diagnos35 diagnost35
diagnost diagnosi35
diagram diagrammat35 draw20 plot20
diagrammat diagram35
dialect dialectician35 philosophi20
dialectician dialect35
dialogu talk20
dialysi dialyz35
dialyz dialysi35
diamet diametr35 length20
diametr diamet35
diarrhea diarrheal35 diarrhet35 symptom20
diarrheal diarrhea35
diarrhet diarrhea35
dice dicer35 die20
dicer dice35
dictat prescrib20 rule20
die dice20 expir20 perish20
diet dietari35 dieter35 dietet35 dietician35
dietari diet35
dieter diet35
dietet diet35
dietician diet35
differ differenti35 departur20 disagre20 otherwis20 qualiti20
differenti differ35 discrimin20 distinct20 distinguish20
difficult hard20
difficulti effort20 exert20 sweat20
diffus action20 activ20
dig digger35 site20
digger dig35
dignifi digniti35
digniti dignifi35 pride20
dilut solut20
dim faint20
dimens dimension35 attribut20 magnitud20
dimension dimens35
diminish diminut35 decreas20 lessen20
diminut diminish35
din boom20 clamor20 commot20 nois20
dine diner35
diner dine35
dinner meal20
dip dipper35 depress20 impress20
diplomaci diplomat35
diplomat diplomaci35
dipol dipolar35 coupl20
dipolar dipol35
dipper dip35
direct director35 path20 rout20 straight20
director direct35 directorship35 administr20 manag20
directorship director35
dirt dirti35 earth20 ground20 soil20
dirti dirt35 dirtili35 soil20
dirtili dirti35
disabl peopl20
disagr disagre35 conflict20 discrep20
disagre disagr35 differ20
disappear departur20 vanish20
disapprov dislik20
disast disastr35 tragedi20
disastr disast35
disc disk20 record20
discern distinguish20
discharg dispatch20 occurr20
disciplin disciplinari35 condit20 domain20
disciplinari disciplin35
disclos disclosur35 expos20 reveal20
disclosur disclos35
discontinu ceas20 quit20 stop20
discov discover35 discoveri35 detect20 find20 hear20 learn20
discover discov35
discoveri discov35 act20
discrep differ20 disagr20
discret discretionari35 liberti20
discretionari discret35
discuss communic20
disdain contempt20 despis20 dislik20 scorn20
diseas ill20
dish dishi35 contain20
dishi dish35
disk diskett35 disc20
diskett disk35
dislik tendenc20
dismay alarm20 despair20
dismiss disregard20 ignor20
disobedi disobey35
disobey disobedi35
dispatch account20 discharg20 report20 shipment20 stori20
display demonstr20 exhibit20 show20
dispos disposit35 administr20 power20
disposit dispos35
disput disputati35 challeng20 disagr20 quarrel20
disputati disput35
disregard dismiss20 ignor20 neglect20
disrupt interrupt20
dissemin circul20
dissolut dissolv35
dissolv dissolut35 transit20
distanc distant35
distant distanc35
distil distilleri35
distilleri distil35
distinct distinguish35 differenti20 discrimin20 typic20
distinguish distinct35 differenti20 discern20
distress hurt20 pain20
distribut distributor35 arrang20 organ20 spread20 system20
distributor distribut35
district region20 territori20
disturb activ20 troubl20 upset20
divan couch20 sofa20
dive diver35 club20 nightclub20 plung20
diver dive35
divers diversionari35 diversionist35 divert35 activ20 recreat20
diversionari divers35
diversionist divers35
divert divers35
divest divestitur35
divestitur divest35
divid divis35 disagr20 split20
dividend earn20 net20 profit20
divin divinatori35 god20 lord20
divinatori divin35
divis divid35 division35
division divis35
divorc divorce35 separ20
divorce divorc35
doctor doctori35 physician20
doctori doctor35
doctrin belief20 philosophi20
document documentari35 paper20 write20
documentari document35 film20 flick20 movi20 pictur20
dodg dodger35 dodgi35 scheme20 strategi20
dodger dodg35
dodgi dodg35
dog chase20 trail20
domain environ20 orbit20 sphere20
domest servant20
domin dominion35 masteri20 note20 prevail20 reign20 tone20
dominion domin35
doom destin20 destini20 fate20
door doorway20
doorway door20 entranc20 entri20
dosag dose20
dose dosag20 medicin20
dot disc20 disk20
doubl doubli35 safeti20
doubli doubl35
doubt doubter35 uncertainti20
doubter doubt35
doubtless undoubt20
down downer35 downi35 consum20 downward20 feather20
downer down35
downi down35
downward down20
dozen twelv20
draft drafte35 drafter35 drafti35
drafte draft35
drafter draft35
drafti draft35
drag dragger35 cart20 haul20 resist20
dragger drag35
drain drainag35
drainag drain35
drama dramat35 dramatis35 dramatist35 play20
dramat drama35 dramatist35 spectacular20 strike20
dramatis drama35
dramatist drama35 dramat35
drape draperi35 blind20 curtain20 screen20
draperi drape35
draw drawe35 drawer35 art20 pull20
drawe draw35
drawer draw35 contain20
dread fear40 apprehens20 aw20 frighten20 terribl20 unspeak20
dream dreamer35 dreami35 imagin20
dreamer dream35
dreami dream35
dress dresser35 dressi35 cloth20
dresser dress35
dressi dress35
dri dryli35 dryness35 iron20
drift driftag35 drifter35 float20 forc20 stray20
driftag drift35
drifter drift35
drill bore20 tool20
drink drinker35 intak20 portion20 uptak20
drinker drink35
drip drippi35 flow20
drippi drip35
drive driver35 motor20
driver drive35 oper20
driveway road20 rout20
drizzl drizzli35 rain20
drizzli drizzl35
drop droplet35 dropper35 sphere20
droplet drop35
dropper drop35
drug druggist35 agent20
druggist drug35
drugstor shop20 store20
drum drummer35
drummer drum35
dryli dri35
dryness dri35
duck duckl35
duckl duck35
due right20
dugout shelter20
dull dullard35 dulli35
dullard dull35
dulli dull35
dumb dumbl35
dumbl dumb35
dump dumper35 dumpi35
dumper dump35
dumpi dump35
durat period20
dusk duski35 hour20
duski dusk35
dust duster35 dusti35 debri20
duster dust35
dusti dust35
dutch countri20 land20 nation20
duti oblig20 respons20
dwell dweller35 brood20 home20
dweller dwell35
eager enthusiasm20
earn earner35 incom20 pay20 profit20 salari20 wage20
earner earn35
earth earthen35 earthi35 earthl35 globe20
earthen earth35
earthi earth35
earthl earth35
earthquak quak20
eas easement35 comfort20 qualiti20
easement eas35
easi easili20
easili easi20
east easter35 orient20
easter east35
eat eater35
eater eat35
eccentr individu20 mortal20 person20 someon20 soul20
echo reflect20 ring20
econom economi35
economi econom35 economist35 scheme20 system20
economist economi35
ecstasi ecstat35 spirit20
ecstat ecstasi35
edg bound40 boundari40 edger35 inch20
edger edg35
edit editor35 impress20
editor edit35 editori35 editorship35
editori editor35 editorialist35 articl20
editorialist editori35
editorship editor35
educ educate35 educationalist35 educationist35 activ20 instruct20 profession20
educate educ35
educationalist educ35
educationist educ35
effect effector35 effectu35 consequ20 effici20 impress20 outcom20
effector effect35
effectu effect35
efficaci effect20
effici effect20 ratio20
effluenc effluent35
effluent effluenc35 wast20
effort activ20 attempt20 endeavor20 exert20
ego pride20 self20
egot egotist35
egotist egot35
eight figur20
eighteenth rank20
eighth rank20
elabor detail20
elast band20
elder eldership35 adult20 older20
eldership elder35
elect elector35 elit20 vote20
elector elect35
electr electrifi35 automobil20 car20 machin20
electrifi electr35
electron physic20
element elementari35 compon20 constitu20 divis20 factor20 part20
elementari element35
elev lift20 promot20 rais20
elicit arous20 evok20 provok20
embank hill20 mound20
embarrass shame20
emblem emblemat35 design20 figur20 pattern20
emblemat emblem35
embrac clutch20 grasp20 grip20 hold20 hug20
emerg emers35 crisi20
emers emerg35
emot feel20
emphas emphasi35 stress20 underlin20
emphasi emphas35 emphat35 accent20 import20
emphat emphasi35
empir empiric35
empiric empir35
employ employe35 appli20 hire20 leader20 state20 util20
employe employ35 worker20
empti contain20
enclos enclosur35
enclosur enclos35
encount combat20 fight20 find20 meet20
encourag approv20 boost20 further20 promot20
end ceas20 termin20
endang menac20 threaten20
endeavor attempt20 effort20 enterpris20 labor20 project20 strive20
endless etern20
endors back20
endur enduring35 brave20 toler20
enduring endur35
enemi foe20 forc20
energ energi35
energet energi35
energi energ35 energet35
enforc implement20 impos20
engag action20 appoint20 battl20 fight20 pursu20
engin technolog40 individu20 mortal20 motor20 person20 profess20
england english35
english england35
engross absorb20 intent20
engulf steep20
enjoy bask20 pleasur20 savor20
enlist enliste35
enliste enlist35
enorm tremend20
enough adequ20 plenti20
enrol enrolle35 recruit20
enrolle enrol35
ensu result20
ensur ascertain20 assur20 guarante20 insur20
entail estat20 land20 mean20
enter particip20
enterpris endeavor20 labor20 project20 task20
entertain divers20 recreat20
enthusiasm enthusiast35 feel20
enthusiast enthusiasm35
entir alon20 altogeth20 complet20 exclus20 full20 intact20
entitl titl20
entranc access20 approach20
entrepreneur entrepreneuri35
entrepreneuri entrepreneur35
entri debut20 introduct20
envelop contain20
envi bitter20 resent20
environ environment35 situat20 surround20
environment environ35
envis fanci20 forese20 pictur20
enzym enzymat35 protein20
enzymat enzym35
epic heroic20 poem20
epiphys epiphysi35
epiphysi epiphys35
episod occurr20
epoch era20 period20
equal equat35 individu20 mortal20 peer20 person20 rival20
equat equal35 correspond20
equilibr equilibrium35
equilibrium equilibr35 situat20
equip equipag35
equipag equip35
equival knowledg20
era epoch20 period20
eras erasur35
erasur eras35
err error35
errand trip20
error err35 fault20 mistak20
escal increas20
escap escape35 escapist35
escape escap35
escapist escap35
especi particular20 special20
essay essayist35 attempt20 write20
essayist essay35
essenc essenti35
essenti essenc35 basic20 fundament20 necess20 requir20 thing20
establish begin20 found20 institut20 launch20 start20
estat properti20
estim calcul40 approxim20 figur20 forecast20 reckon20
etcetera stuff20
etern endless20 time20
europ european35
european europ35
evalu assess20 judgment20 rate20
even day20 daylight20
event eventu35 case20
eventu event35 final20
ever alway20
everyday routin20
evid evidenti35 evidentiari35 appar20 certifi20 ground20 inform20
evidenti evid35
evidentiari evid35
evil evilli35 vicious20
evilli evil35
evok arous20 elicit20 provok20
evolut evolutionari35 evolv35 develop20 process20
evolutionari evolut35
evolv evolut35 develop20
exact precis20
exagger magnifi20
examin examine35 analyz20 investig20 scrutini20 studi20
examine examin35
exampl inform20 instanc20
exceed excess35 top20
excess exceed35 spare20 surplus20
excit excitatori35 joy20 stimul20
excitatori excit35
exclaim exclam35 exclamatori35 proclaim20
exclam exclaim35
exclamatori exclaim35
exclud exclus35 omit20
exclus exclud35 account20 alon20 entir20 report20 sole20
excus excusatori35 defens20 pardon20 vindic20
excusatori excus35
execut execution35 executor35 administr20
execution execut35
executor execut35
exercis exert40 effort20 practic20 sweat20 usag20 workout20
exert effort20 exercis20 labor20 wield20
exhaust gas20 wast20
exhibit exhibitor35 demonstr20 display20 evid20 present20
exhibitor exhibit35
exist existenti35 state20 univers20 world20
existenti exist35
expand expans35
expans expand35 increas20
expect expected35 anticip20 belief20 outlook20 prospect20 requir20
expected expect35
expedit expediti35 expeditionari35 campaign20
expediti expedit35
expeditionari expedit35
expend expenditur35 expens35 spend20
expenditur expend35
expens expend35 cost20
experi experiment55 experienti35 educ20
experienti experi35
experiment experi55 inquiri20 research20
expert expertis35 individu20 mortal20 person20 someon20 soul20
expertis expert35
expir expiratori35 die20 perish20
expiratori expir35
explain explan35 explanatori35
explan explain35 statement20
explanatori explain35
explicit express20
explod explos35
exploit exploitatori35 accomplish20 achiev20 feat20
exploitatori exploit35
explor exploratori35 expedit20
exploratori explor35
explos explod35 burst20 chemic20 discharg20
export good20
expos exposur55 disclos20 reveal20
exposur expos35
express expressag35 expressli35 counten20 explicit20 face20 look20
expressag express35
expressli express35
extend extens35 extensor35 extent35 broaden20 lengthi20 prolong20
extens extend35 extension35 broad20 delay20 hold20 wait20
extension extens35
extensor extend35
extent extend35 degre20 level20 point20 stage20
extern characterist20 featur20 outsid20
extract extractor35 solut20
extractor extract35
extraordinari extraordinarili35
extraordinarili extraordinari35
extrem degre20 grade20 level20 super20 utmost20
eye eyelet35
eyelet eye35
fabric cloth20 textil20
face confront20 express20 look20
facil instal20
facilit facilitatori35
facilitatori facilit35
fact factual35 inform20
factor factoris35 caus20 compon20 element20
factori mill20 plant20 work20
factoris factor35
factual fact35
facult faculti35
faculti facult35 abil20 power20
fade swing20
fail failur35 neglect20
failur fail35
faint dim20
fair pretti20 reason20 show20 somewhat20
faith belief20 follow20 religion20
fake faker35 fakeri35 imit20 phoni20
faker fake35
fakeri fake35
fall faller35 autumn20 descend20 season20
faller fall35
fallout dust20
fals falsiti35 mistaken20
falsifi falsiti35
falsiti fals35 falsifi35
falter paus20 waver20
fame honor20
famili household20 unit20
familiar servant20
fan fandom35 devic20
fanci fancier35 envis20 illus20 pictur20
fancier fanci35
fandom fan35
fantas fantasi35
fantasi fantas35 fantasist35 fantast35 imagin20 vision20
fantasist fantasi35
fantast fantasi35 grotesqu20 marvel20 terrif20 tremend20 wonder20
far faraway35
faraway far35
farm farmer35 agricultur20 work20
farmer farm35 farmerett35
farmerett farmer35
farther further20
fashion manner20 mode20 properti20 style20 way20
fast tight20
fasten fix20 secur20
fat fatti35
fate destini20 occurr20
father parent20
fatti fat35
fault faulti35 blame20 error20 mistak20
faulti fault35
favorit choic20 pick20 select20
fear concern20 dread20 emot20
feat accomplish20 achiev20 exploit20
feather featheri35
featheri feather35
featur attribut20 boast20 characterist20 dimens20 properti20 sport20
feb februari20
februari feb20
feder yank20 yanke20
feed feeder35 food20 intak20 uptak20
feeder feed35
feedlot build20
feel feeler35 awar20 belief20 conscious20 flavor20 impress20
feeler feel35
fellow fellowship35 companion20 comrad20 lad20 male20
fellowship fellow35 associ20
femal anim20 beast20 creatur20
fenc fencer35 barrier20
fencer fenc35
fever feverish35 symptom20
feverish fever35
few elit20
fiber materi20 stuff20
fiction fictiti35
fictiti fiction35
field fielder35 battlefield20 tract20
fielder field35
fierc furious20
fifteenth rank20
fig figur20 illustr20
fight battl40 fighter35 action20 activ20 combat20 conflict20
fighter fight35 individu20 mortal20 person20 someon20 soul20
figur anatomi20 calcul20 estim20 fig20 flesh20 forecast20
file filer35 record20 regist20
filer file35
fill filler35 enough20 materi20 stuff20
filler fill35
film filmi35 movi20 product20 show20
filmi film35
filter filtrat35 devic20
filtrat filter35
final eventu20 match20 net20 ultim20
financ financi35 busi20
financi financ35
find finder35 detect20 determin20 discov20 discoveri20 encount20
finder find35
fine penalti20
fingerprint mark20 print20
finish complet20
fire attack20 occurr20 onset20
firearm gun20
firm busi20 concern20 hous20
first rank20
fish fisher35 fisheri35 fishi35
fisher fish35
fisheri fish35
fishi fish35
fist hand20
fit fitter35 fitting35 accommod20 advanc20 decent20 improv20
fitter fit35
fitting fit35
five figur20
fix fixed35 fixer35 fixtur35 difficulti20 fasten20 mend20
fixed fix35
fixer fix35
fixtur fix35
flag emblem20
flank flanker35 format20
flanker flank35
flare form20 shape20
flash flasher35 flashi35 occurr20 wink20
flasher flash35
flashi flash35
flat flatlet35 field20 level20 plain20 plane20
flatlet flat35
flatter flatteri35
flatteri flatter35
flavor atmospher20 feel20 spirit20
flee fleer35
fleer flee35
flesh fleshi35 anatomi20 figur20
fleshi flesh35
flex flexibl35
flexibl flex35
fli flyer35 wing20
flick contact20 strike20
flight format20
fling attempt20 effort20 endeavor20
flip flipper35 toss20 tumbl20
flipper flip35
float floatat35 floater35 floati35 drift20 interv20 swim20
floatat float35
floater float35
floati float35
flock congreg20 faith20 fold20
flood swamp20
floor level20
flop floppi35
floppi flop35
flounder stagger20
flourish gestur20 motion20
flow flowag35 travel20
flowag flow35
flower floweri35 bloom20 blossom20
floweri flower35
fluid fluiditi35 substanc20
fluiditi fluid35
fluoresc light20
flurri commot20 din20
flush blush20 peak20 period20
flux fluxion35 rate20
fluxion flux35
flyer fli35
foam foami35 bubbl20
foami foam35
focus concentr40 focuss35 absorpt20 center20
focuss focus35
foe antagonist20 enemi20
fog foggi35 aerosol20
foggi fog35
foil frustrat20 thwart20
fold folder35 congreg20
folder fold35
foliag foliat35 leaf20
foliat foliag35
folk peopl20
follow individu20 mass20 mortal20 next20 peopl20 person20
food substanc20
fool fooleri35 simpl20
fooleri fool35
foot footer35
footer foot35
footstep sound20
forbid forbidd35 prevent20 prohibit20
forbidd forbid35
forc forcibl35 influenc20 pressur20
forcibl forc35
forecast calcul20 estim20 figur20 reckon20
forehead brow20 featur20
foreign alien20
forese envis20
forest forestri35 wood20
forestri forest35
form format35 kind20 organ20 sort20 word20
formal danc20
format form35 arrang20
former first20
formul formula35 compound20 devis20 invent20 prepar20
formula formul35 formular35 formulari35
formular formula35
formulari formula35
fort fortifi35
forth away20 forward20
fortif fortifi35
fortifi fort35 fortif35
fortun chanc20 hazard20 luck20 phenomenon20
forward forth20
foster fosterag35 further20
fosterag foster35
foul foulli35 contamin20 violat20
foulli foul35
found foundat35 founder35 earn20 establish20 institut20 launch20
foundat found35 relat20
founder found35
four figur20
fourth rank20
fraction chemic20
fragment fragmentari35 part20 piec20
fragmentari fragment35
frame framer35
framer frame35
frank honest20
frantic mad20
fraud crime20
free freeli35 loos20 peopl20 releas20 rid20
freedom state20
freeli free35
freeway highway20
freez freezer35 cool20
freezer freez35
freight freightag35 freighter35 merchandis20 product20 shipment20
freightag freight35
freighter freight35
french frenchifi35 romanc20
frenchifi french35
frenchman european20
frenzi furi20
frequenc frequent35 rate20
frequent frequenc35 often20 shop20
fresh new20 newli20
fret fuss20
friend friendli35 friendship35 individu20 mortal20 person20 someon20
friendli friend35
friendship friend35
frighten aw20 dread20 scare20 terribl20
fring fringi35 bound20 boundari20 edg20
fringi fring35
front frontag35 frontal35 face20 side20
frontag front35 extent20
frontal front35
fruit fruitag35 fruiter35 fruiti35 fruition35 fruitlet35
fruitag fruit35
fruiter fruit35
fruiti fruit35
fruition fruit35
fruitlet fruit35
frustrat defeat20 disappoint20 foil20 thwart20
fuel substanc20
fulfil accomplish20 satisfact20 satisfi20
full fulli55 fuller35 entir20 total20
fuller full35
fulli full55
fumbl fumbler35 grope20
fumbler fumbl35
fun funni35 divers20 recreat20
function functionari35 oper20 purpos20 serv20
functionari function35
fund money20 store20
fundament basic20 cardin20 central20 essenti20 factor20 key20
funer funerari35 ceremoni20
funerari funer35
funni fun35 funnili35 comic20 curious20 gag20 joke20
funnili funni35
fur furri35
furi anger20 frenzi20 rage20
furious fierc20
furnish furnitur35 provid20 render20 suppli20
furnitur furnish35
furri fur35
further encourag20 farther20 foster20 promot20
furthermor moreov20
fuse merg20 mix20
fuss fussi35 fret20 mother20
fussi fuss35
futur time20
gadget devic20
gag gagster35 humor20 joke20 wit20
gagster gag35
gain gainer35 deriv20 increas20 profit20 win20
gainer gain35
game gamey35 activ20
gamey game35
gang gangdom35 gangster35 associ20 bunch20 crowd20
gangdom gang35
gangster gang35
gap open20 spread20
garden patch20 plot20
gas gaseous35 gasifi35 gass35 gassi35 state20
gaseous gas35
gasifi gas35
gasp intak20 pant20
gass gas35
gassi gas35
gather assembl20
gay gayli35 cheeri20 individu20 merri20 mortal20 person20
gayli gay35
gaze stare40
general generalship35 most20
generalship general35
generat apparatus20 peopl20
generos generous35
generous generos35
genius intellect20 intellectu20
gentil gentl35
gentl gentil35
gentleman man20
geometr geometri35
geometri geometr35
georgia georgian35
georgian georgia35
german germani35 european20
germani german35
gesticul gestur35
gestur motion40 gesticul35 move20 movement20
ghetto ghettoiz35 quarter20
ghettoiz ghetto35
ghost shadow20 specter20
giant anim20 beast20 creatur20
gift acquisit20 invest20 talent20
giggl giggler35 laugh20 laughter20
giggler giggl35
girl girlhood35 miss20 woman20
girlhood girl35
glanc glimps20 glint20 look20
gland glandular35 organ20
glandular gland35
glare bright20
glass glassi35 solid20
glassi glass35
glaze glazier35
glazier glaze35
gleam flash20 glint20 glitter20 shine20
glimps glanc20 look20
glint flash20 glanc20 gleam20 glitter20 spark20
glitter glitteri35 bright20 gleam20 glint20
glitteri glitter35
global globe35
globe global35 globular35 earth20
globular globe35
gloom gloomi35
gloomi gloom35
glori glorifi35 glorious35 honor20
glorif glorifi35
glorifi glori35 glorif35
glorious glori35
glue gluey35 cement20 past20
gluey glue35
gnp valu20
goal content20
god divin20
gold golden20
golden gold20
golf golfer35
golfer golf35
gone deceas20
good advantag20 qualiti20 thorough20 well20
gossip gossipi35
gossipi gossip35
goug gouger35 defect20 mar20
gouger goug35
govern governor35 author20 regul20
governor govern35 governorship35 politician20
governorship governor35
gown dress20
grace gracious35 decor20 state20
gracious grace35
gradat grade35
grade gradat35 grader35 gradual35 class20 gather20 level20
grader grade35
gradient chang20
gradual grade35
graduat close20 complet20 scholar20 student20
grammar grammat35
grammat grammar35
grant grante35 granter35 grantor35 aid20 award20
grante grant35
granter grant35
grantor grant35
graph graphic35
graphic graph35
graphit carbon20
grappl grappler35 cope20 grip20 tool20
grappler grappl35
grasp apprehens20 comprehend20 understand20
grass grassi35
grassi grass35
gratif gratifi35
gratifi gratif35
grave graviti35 danger20 death20 sober20 tomb20
graviti grave35
gray grayli35
grayli gray35
graze grazier35 scrape20 scratch20
grazier graze35
greas greasi35 oil20
greasi greas35 greasili35 oili20
greasili greasi35
great success20
greatcoat coat20
greec greek35
greek greec35
green greeneri35 greensid35 common20 park20
greeneri green35
greensid green35
greet greeter35
greeter greet35
grenad bomb20
grief sorrow20
grim stern20
grin grinner35 smile20
grind grinder35 scholar20
grinder grind35
grinner grin35
grip clutch20 grappl20 handl20 hold20
groan groaner35
groaner groan35
grocer merchant20
grope fumbl20 touch20
gross grossli35
grossli gross35
grotesqu art20 fantast20
ground grounder35 anchor20 evid20 inform20 object20 reason20
grounder ground35
group abstract20 radic20
grove forest20 wood20
grow grower35 growth35
grower grow35
growl growler35 cri20 rumbl20
growler growl35
growth grow35
grumbl grumbler35 mutter20 nois20 rumbl20
grumbler grumbl35
grunt grunter35 nois20
grunter grunt35
guarante assur40 guarantor35 ensur20 insur20
guarantor guarante35
guess guesser35 hazard20 imagin20 opinion20 reckon20 specul20
guesser guess35
guest visitor20
guid guidanc35 escort20 lead20 maneuv20 steer20
guidanc guid35 content20 messag20 substanc20
guilt guilti35 condit20 status20
guilti guilt35 guiltili35
guiltili guilti35
gulp gulper35 drink20 swallow20
gulper gulp35
gun gunner35 arm20 artilleri20 weapon20
gunfir shoot20 shot20
gunner gun35
gush gusher35 gushi35 flow20
gusher gush35
gushi gush35
guy man20
gymnast athlet20 sport20
habit habitu35 custom20 tradit20
habitu habit35
hair hairi35
hairi hair35
halfway center20 middl20
hall corridor20 hallway20 lobbi20
hallway corridor20 hall20
halt stop20
hamper restraint20
hand men20
handl handler35 grip20 manag20 treat20
handler handl35
hang hanger35 gift20 talent20
hanger hang35
happen occur20
happi happili35 spirit20
happili happi35
har support20
harbor harborag35 nurs20 port20
harborag harbor35
hard harden35 bare20 difficult20 scarc20
harden hard35
harm damag20 hurt20 injuri20
harmon harmoni35
harmoni harmon35 harmonis35
harmonis harmoni35
harvest crop20 output20 yield20
hast hasti35 hurri20 rush20 speed20
hasten hurri20 race20 rush20 speed20
hasti hast35 hastili35
hastili hasti35
hat hatter35
hate hater35 emot20 hatr20
hater hate35
hatr emot20 hate20
hatter hat35
haul haulag35 hauler35 cart20 drag20 pull20
haulag haul35
hauler haul35
haunt area20 countri20 stalk20
hawaii hawaiian35
hawaiian hawaii35
hawk hawker35
hawker hawk35
hazard chanc20 danger20 fortun20 guess20 luck20 risk20
haze aerosol20
head header35 headi35 headship35
headach worri20
header head35
headi head35
headlight light20
headquart offic20
headship head35
health healthi35
healthi health35 healthili35
healthili healthi35
heap collect20 lot20 mass20 pile20 plenti20
hear hearabl35 hearer35 discov20 learn20 proceed20
hearabl hear35
hearer hear35
heart hearti35 hunch20 intuit20 suspicion20
hearti heart35 heartili35
heartili hearti35
heat heatabl35 heater35 energi20
heatabl heat35
heater heat35
heav heaver35 rise20
heaver heav35
heavi heavili35 actor20 player20
heavili heavi35
hebephren hebephrenia35
hebephrenia hebephren35
heed attent20 regard20
heel bottom20
hegel hegelian35
hegelian hegel35
height dimens20
helium element20
hell part20 region20
hen chicken20
henc therefor20 thus20
herd herder35 crowd20
herder herd35
heritag practic20
hero heroic35 leader20
heroic epic40 hero35
hesit hesitat35 paus20 waver20
hesitat hesit35
hide conceal20
high degre20 grade20 level20
highroad highway20
highway road20 rout20
hill hilli35
hilli hill35
hinder hindranc35 block20
hindranc hinder35
hint suggest40 clue20 proposit20
hire hirer35 employ20 employe20
hirer hire35
histor histori35 historic35
histori histor35 account20 past20
historian scholar20 student20
historic histor35
hit hitter35 effort20 exploit20 feat20
hitch limp20 period20
hitter hit35
hold holder35 appreci20 clutch20 grip20 keep20 maintain20
holder hold35
hole holey35 gap20 open20
holey hole35
holiday leisur20 vacat20
holler cri40 shout40 yell40 bellow20 call20 roar20
hollow hollowli35
hollowli hollow35
home homeli35 homey35 dwell20 resid20
homeli home35
homer safeti20
homey home35
homogen homogeni35
homogeni homogen35
homozyg homozygos35
homozygos homozyg35
honest frank20
honey dear20
honeybe bee20
honeymoon holiday20 vacat20
honor honorari35 honore35 award20 respect20 reward20 symbol20
honorari honor35
honore honor35
hoof hoofer35 hooflik35 foot20
hoofer hoof35
hooflik hoof35
hook hooker35 catch20 rob20 soak20
hooker hook35
hop hopper35 jump20
hope hoper35 anticip20 desir20
hoper hope35
hopper hop35
horizon line20
horn horni35
horni horn35
horrifi horror35
horror horrifi35 fear20
horseman horsemanship35 rider20
horsemanship horseman35
host adult20
hostess host20
hostil troop20
hotel build20
hous build20 dwell20 firm20 home20
household famili20 unit20
housewif wife20
howev nevertheless20 still20
howl howler35 wail20
howler howl35
huddl huddler35 confer20
huddler huddl35
hug embrac40 hugger35
huge immens20 vast20
hugger hug35
humor humorist35 content20 messag20 substanc20 wit20
humorist humor35
hunch belief20 feel20 impress20 intuit20 notion20 opinion20
hunger hungri35 drive20
hungri hunger35 hungrili35
hungrili hungri35
hunt hunter35 search20
hunter hunt35
hurl hurler35 hurtl20 lung20 throw20
hurler hurl35
hurri hast20 hasten20
hurt distress20 harm20 injuri20 smart20 wound20
hurtl hurl20 lung20
husband mate20 partner20
hut shelter20
hydrogen element20 gas20
hypothalam hypothalamus35
hypothalamus hypothalam35
hypothec hypothesi35
hypothes hypothesi35
hypothesi hypothec35 hypothes35 hypothet35 propos20 theori20
hypothet hypothesi35
hyster hysteria35
hysteria hyster35
ice crystal20
idea ideal35 ideat35 content20 thought20
ideal idea55 idealis35 thought20
idealis ideal35
ideat idea35
ident identic35 identifi35 person20
identic ident35
identif identifi35 determin20 find20
identifi ident35 identif35 name20
ideolog ideologist35
ideologist ideolog35
idiom idiomat35
idiomat idiom35
idl idler35 oper20
idler idl35
ignor content20 dismiss20 disregard20
ill bad20 disord20 poor20 sick20 upset20
illumin light20
illus illusion35 illusionari35 illusionist35 illusori35 appear20 fanci20
illusion illus35
illusionari illus35
illusionist illus35
illusori illus35
illustr art20
imag imageri35 represent20
imageri imag35
imagin guess20 reckon20 suppos20 think20
imaginari number20
imit copi20 doctrin20 philosophi20 simul20
immedi instant20
immens huge20 vast20
immun condit20 status20
impact contact20 strike20
impair mar20
impart contribut20 lend20
impati irrit20
imperson neutral20
implement enforc20
impli implic35
implic impli35 infer20 signific20
import importe35 good20 signific20 valu20
importe import35
impos imposit35 enforc20 inflict20
imposit impos35
impress impressionist35 belief20 effect20 feel20 idea20 notion20
impressionist impress35
improv advanc20 amend20 better20 shift20
impuls motiv20 urg20
impur wast20
inabl knowledg20
inch edg20
incid frequenc20 occurr20
inclin format20 slope20 tend20
includ inclus35
inclus includ35
incorpor compris20 contain20 integr20
increas gain20
incur incurr35 incurs35
incurr incur35
incurs incur35
indefin indefinit35
indefinit indefin35
independ freedom20 sovereign20
india indian35
indian india35
indic communic20 fact20 point20 signal20
indict instrument20
indign anger20
individu individualist35 caus20 mortal20 organ20 person20 singl20
individualist individu35
induc induct35 caus20 stimul20
induct induc35
industri industrialist35 manufactur20
industrialist industri35
inevit destini20 fate20 necessarili20
infanc infant35 infantil35
infant infanc35
infantil infanc35
infect infecti35
infecti infect35
infer inferenti35 reason20
inferenti infer35
infin infinit35
infinit infin35 attribut20
inflict impos20
influenc influenti35 determin20 power20 shape20
influenti influenc35
inform informatori35 content20 messag20 substanc20
informatori inform35
inher integr20
inherit inheritor35
inheritor inherit35
initi initiatori35 drive20 letter20 origin20
initiatori initi35
inject injector35
injector inject35
injur injuri35 wound20
injuri injur35 harm20 hurt20
inning divis20 part20 section20
innoc individu20 mortal20 person20 someon20 soul20
inquir inquiri35 inquisit35
inquiri inquir35 question20 research20
inquisit inquir35
inscrib inscript35
inscript inscrib35
insect insectan35
insectan insect35
insert section20 subdivis20
insid interior20 part20 region20
insight percept20
inspect inspector35
inspector inspect35
inspir inspiratori35
inspiratori inspir35
instal begin20 facil20 start20
instanc instant35 instanti35 case20 exampl20 occurr20
instant moment40 instanc35 instantan35 bit20 immedi20 minut20
instantan instant35
instanti instanc35
instead rather20
institut institution35 institutionalis35 associ20 establish20 found20 organ20
institution institut35
institutionalis institut35
instruct instructor35 content20 educ20 messag20 substanc20 teach20
instructor instruct35 instructorship35 educ20 teacher20
instructorship instructor35
instrument instrumentalist35 devic20 tool20
instrumentalist instrument35
insur ascertain20 assur20 ensur20 guarante20 protect20 secur20
intact entir20 integr20
intak activ20 uptak20
integ integr35 number20
integr integ35 calcul20 entir20 incorpor20 inher20 intact20
intellect intellectu35 intellig20
intellectu intellect35 individu20 mortal20 person20 ration20 someon20
intellig abil20 power20 understand20
intend intent35 destin20
intens intensifi35 magnitud20
intensif intensifi35
intensifi intens35 intensif35 compound20
intent intend35 absorb20 aim20 end20 engross20 goal20
interact action20
intercept interceptor35 point20
interceptor intercept35
interest interesting35 concern20 curios20 sake20
interesting interest35
interior insid20 part20 region20
intermedi chemic20 medium20
intern social20
interpos interposit35
interposit interpos35
interpret constru20 represent20
interrel interrelationship35 relat20
interrelationship interrel35
interrupt break20 delay20 disrupt20 signal20
intersect cross20 point20
interv amount20 measur20 quantiti20
interven intervent35
intervent interven35
interview interviewe35 examin20
interviewe interview35
intim friend20
introduc introduct35 introductori35
introduct introduc35 begin20 debut20 entri20 start20
introductori introduc35
introject valu20
intrud intrus35
intrus intrud35
intuit hunch20 suspicion20
invad invas35
invas invad35
invent inventor35 devis20 formul20 manufactur20
inventor invent35
inventori list20 stock20
invest investitur35 investor35 financ20 gift20
investig investigatori35 inquiri20 research20 scientist20
investigatori investig35
investitur invest35
investor invest35
invit invitatori35 invite35 letter20 request20
invitatori invit35
invite invit35
invoc invok35
invok invoc35
involut involv35
involv involut35 particip20
iodin iodis35 iodiz35 element20
iodis iodin35
iodiz iodin35
ion ionat35 ionic35 ionis35 ioniz35 particl20
ionat ion35
ionic ion35
ionis ion35
ioniz ion35
irish countri20 land20 nation20
iron ironi35 dri20 metal20
ironi iron35 ironist35 humor20 satir20 wit20
ironist ironi35
irrit temper20
island earth20 ground20 land20
isol separ40 detach20 stray20
issu issuer35 content20 publish20 suppli20
issuer issu35
itali italian35
italian itali35 european20
item itemis35 compon20 constitu20 detail20 part20 portion20
itemis item35
jab gestur20 poke20
jacket coat20
jam pile20 preserv20
jap japanes20
japan japanes35
japanes japan35
jaw bone20
jeep automobil20 car20 machin20
jeopard jeopardi35
jeopardi jeopard35
jerk jerker35 jerki35 twitch20 yank20
jerker jerk35
jerki jerk35
jesus christ20
jew jewish35 individu20 mortal20 person20 someon20 soul20
jewish jew35
job activ20 chore20 occup20 task20
join joiner35 jointur35 connect20 link20
joiner join35
joint jointer35
jointer joint35
jointur join35
joke joker35 jokest35 gag20 humor20 wit20
joker joke35
jokest joke35
journal journalist35
journalist journal35
journey travel40
joy joyous35 emot20 pleasur20
joyous joy35
judg judgeship35 judgment35 offici20
judgeship judg35
judgment judg35 opinion20 sentiment20 thought20 view20
juic juici35
juici juic35
jump jumpi35 bound20 increas20 leap20 spring20
jumpi jump35
juri bodi20
jurisdict power20
justif justifi35 circumst20 condit20 consider20
justifi justif35 justificatori35
justificatori justifi35
keep keeper35 continu20 hold20 maintain20 resourc20
keeper keep35
ketosi symptom20
key cardin20 central20 devic20 fundament20
keynot subject20 theme20 topic20
kick kicker35 blow20 thrill20
kicker kick35
kid child20 minor20
kidnap kidnapp35
kidnapp kidnap35
kill killabl35 killer35 conclus20 defeat20
killabl kill35
killer kill35 individu20 mortal20 person20 someon20 soul20
kind categori20 form20 sort20
king kingdom35 kingship35 sovereign20
kingdom king35
kingship king35
kiss kisser35 touch20
kisser kiss35
kitchen room20
kneel kneeler35 motion20 move20 movement20
kneeler kneel35
knock knocker35 sound20
knocker knock35
knot knotti35 bunch20 clump20 cluster20
knotti knot35
korea korean35
korean korea35
label descript20 mark20 tag20
labor labori35 class20
laboratori work20
labori labor35
lack defici20 demand20
lad fellow20 male20
ladder stair20 step20
ladi woman20
lag laggard35 lagger35 delay20
laggard lag35
lagger lag35
land lander35 platform20
lander land35
landscap landscapist35
landscapist landscap35
lane way20
languag communic20 speech20
lap lick20 thigh20
laps error20 fault20 mistak20
larg big20 most20 size20
larger bigger20
larva larval35 anim20 beast20 creatur20
larval larva35
last close20 end20 surviv20
late recent20
latenc latent35
latent latenc35
later afterward20
latin latinist35 latium35
latinist latin35
latium latin35
latter second20
laugh laughabl35 laugher35 laughter20
laughabl laugh35
laugher laugh35
laughter laugh20
launch launcher35 establish20 found20
launcher launch35
law lawyer35 collect20
lawn field20
lawyer law35 attorney20 profession20
lay layer35 place20 posit20 put20 set20 song20
layer lay35
lead leaden35 leader35 advantag20 guid20 result20 slip20
leaden lead35
leader leadership55 lead35 bodi20 individu20 mortal20 person20
leadership leader55 activ20
leaf leafag35 leafi35 leaflet35 foliag20
leafag leaf35
leafi leaf35
leaflet leaf35
leagu associ20 confer20
lean leaner35 posit20 thin20 tilt20
leaner lean35
leap jump40 leaper35 bounc20 bound20 spring20
leaper leap35
learn learned35 learner35 discov20 hear20 scholarship20
learned learn35
learner learn35
least affair20 matter20 thing20
leather leatheri35
leatheri leather35
leav leaver35
leaver leav35
lectur lectureship35 address20 speech20
lectureship lectur35
ledger record20
left place20 posit20
leg leggi35 limb20
legend legendari35 stori20
legendari legend35
leggi leg35
legisl legislatorship35 legislatur35 politician20
legislatorship legisl35
legislatur legisl35 assembl20
legitim legitimaci35
legitimaci legitim35
lemon lemoni35
lemoni lemon35
lend lendabl35 lender35 contribut20 impart20 loan20
lendabl lend35
lender lend35
length lengthi35 dimens20
lengthi length35 lengthili35 extend20 prolong20
lengthili lengthi35
lessen alter20 chang20 decreas20 diminish20
lesson instruct20 teach20
letter document20 text20
level degre20 flat20 grade20 plane20 properti20
liabil liabl35
liabl liabil35
liber liberalist35 liberti35 adult20 ideolog20
liberalist liber35
liberti liber35 independ20
librari room20
licens license35 instrument20 permit20
license licens35
lick deposit20 lap20
life lifer35 exist20 live20
lifer life35
lift lifter35 aid20 elev20 rais20
lifter lift35
light lighter35 illumin20
lighter light35
like likeli35 probabl20
likeli like35
likewis besid20 similar20
limb member20
limit confin20 extent20 regul20 restrict20 rule20 throttl20
limp limper35 hitch20
limper limp35
line lineal35 lineat35 liner35 format20
lineal line35
lineat line35
liner line35
linger lurk20
linguist scientist20
link linkag35 associ20 connect20 relat20
linkag link35
liquid liquifi35 fluid20
liquifi liquid35
list lister35
listen observ20
lister list35
liter error20 mistak20
literari literatur35
literatur literari35 write20
littl small20
live liveabl35 liveli35 liver35 experi20 life20 popul20
liveabl live35
liveli live35
liver live35 liveri35
liveri liver35
load loader35 burden20 weight20
loader load35
loan debt20 lend20
lobbi lobbyist35 hall20 room20
lobbyist lobbi35
local neighborhood20 section20
locat object20
lock lockag35 locker35
lockag lock35
locker lock35
lodg lodgement35 lodger35 deposit20 stick20
lodgement lodg35
lodger lodg35
log logger35 wood20
logger log35
logic logician35 logistician35 philosophi20
logician logic35
logistician logic35
lone loneli35 alon20
loneli lone35 isol20
long longer35 longest35
longer long35 individu20 mortal20 person20 someon20 soul20
longest long35
look looker35 appear20 counten20 express20 face20 seem20
looker look35
lookup oper20
loom tower20
loos free20 releas20
lord lordship35 divin20 master20
lordship lord35
lose loser35
loser lose35
loss lossi35
lossi loss35
lost peopl20
lot heap20 mass20 pile20 plenti20
loud aloud20 cheap20
lous lousi35
lousi lous35
love loveabl35 loveli35 lover35 emot20
loveabl love35
loveli love35
lover love35 individu20 mortal20 person20 someon20 soul20
lower bunk20
luck lucki35 chanc20 condit20 fortun20 hazard20
lucki luck35 luckili35
luckili lucki35
lug luggag35
luggag lug35 case20
lull break20 interrupt20 paus20 suspens20
lumber timber20
lump lumper35 lumpi35 clump20
lumper lump35
lumpi lump35
lunch luncher35 meal20
luncher lunch35
lung lunger35 hurl20 hurtl20 motion20 move20 movement20
lunger lung35
lurch pitch20 reel20 stagger20
lure attract20 tempt20
lurk lurker35 linger20
lurker lurk35
lyric lyricist35 text20 word20
lyricist lyric35
machin machineri35 machinist35 devic20
machineri machin55
machinist machin35
mad crazi20 frantic20
magazin press20 public20
magic magician35
magician magic35 perform20
magnet attract20
magnif magnifi35
magnifi magnif35 magnitud35 exagger20
magnitud magnifi35 properti20
maid maidhood35 domest20
maidhood maid35
mail mailer35 messag20
mailer mail35
main chief20 chiefli20 primarili20 princip20 water20
maintain mainten35 hold20 keep20 preserv20
mainten maintain35 fix20 mend20 repair20
major bulk20 figur20 number20
make product20
male anim20 beast20 creatur20
mama mamma20 mother20
mamma mammari35 mama20 mother20
mammari mamma35
man manx35 adult20 male20
manag manageri35 managership35 administr20 coach20 director20 handl20
manageri manag35
managership manag35
manchest mancunian35
mancunian manchest35
mandat mandatori35
mandatori mandat35
maneuv maneuver35 guid20 oper20 steer20
maneuver maneuv35
manifest appear20 certifi20 evid20 instrument20
manifold pipe20
manner behavior20 conduct20 fashion20 mode20 properti20 style20
manufactur busi20 concern20 construct20 industri20 invent20 produc20
manx man35
map mapper35 represent20
mapper map35
mar impair20
marbl marbleiz35 rock20 stone20
marbleiz marbl35
march marcher35
marcher march35
margin border20 bound20 boundari20 edg20
mark marker35 evalu20 label20 rate20 score20 tag20
marker mark35
market activ20 commerc20 marketplac20 sell20
marketplac activ20 market20
marksman marksmanship35 shot20
marksmanship marksman35
marri marriag35 individu20 mortal20 person20 someon20 soul20
marriag marri35
marshal marshalship35
marshalship marshal35
martyr martyrdom35 victim20
martyrdom martyr35
marvel fantast20 occurr20 terrif20 tremend20 wonder20
mass heap20 lot20 pile20 plenti20
master masteri35 mastership35 artist20 lord20 overcom20
masteri master35 domin20
masterpiec work20
mastership master35
match matcher35 correspond20 light20
matcher match35
mate matey35 coupl20 offic20 pair20
materi stuff20 substanc20
matey mate35
matter affair20 concern20 count20 topic20
maxim maximum35
maximis maximum35
maximum maxim35 maximis35 peak20 utmost20
mayb perhap20 possibl20
mayor politician20
meal meali35
meali meal35
mean averag40 content20 entail20 messag20 norm20 substanc20
meanwhil interv20
measur activ20 maneuv20 quantiti20 step20
meat meati35
meati meat35
mechan mechanist35 physic20
mechanist mechan35
medial medium35
medic medicin35 examin20 scrutini20
medicin medic35 medicoleg35
medicoleg medicin35
medium medial35 intermedi20
meet meeter35 encount20 gather20
meeter meet35
melod melodi35
melodi melod35 music20 tune20
melt meltabl35 melter35 thaw20
meltabl melt35
melter melt35
member membership35 associ20
membership member35 bodi20
memor memori35
memori memor35 memoris35 represent20
memoris memori35
men forc20 hand20 personnel20
menac danger20 endang20 threat20 threaten20
mend mender35 fix20 repair20
mender mend35
mental mentum35
mention remark40 cite20 comment20 note20 observ20 refer20
mentum mental35
merchandis good20 product20 trade20
mercur mercuri35
mercuri mercur35 metal20
mere pond20 pool20 simpli20
merg merger35 fuse20 mix20 unifi20 unit20
merger merg35 integr20
merit meritori35 deserv20 virtu20 worth20
meritori merit35
merri merrili35 gay20
merrili merri35
mess messi35 disord20 fix20
messag communic20 content20
messi mess35
metal element20
meteorit meteor20
metropoli metropolitan35 citi20
metropolitan metropoli35 archbishop20
mexican mexico35
mexico mexican35
micell particl20
micrometeor micrometeorit35
micrometeorit micrometeor35 meteorit20
microorgan organ20
microscop microscopi35
microscopi microscop35
middl area20 center20 countri20 halfway20
midnight hour20
mile miler35
miler mile35
militar militari35
militari militar35 militarili35 militaris35 militarist35 forc20 personnel20
militarili militari35
militaris militari35
militarist militari35
militia forc20 reserv20
milk milki35 drink20
milki milk35
mill factori20 plant20 work20
mimesi mimet35 imit20
mimet mimesi35
min minut20
mind knowledg20
miner materi20 stuff20
mingl unifi20
minim minimum55
minimis minimum35
minimum minim55 minimis35 peak20
minist ministeri35 ministr35 clergyman20 pastor20
ministeri minist35
ministr minist35
minor child20 kid20
minut min20 moment20 second20
miracl miracul35 occurr20
miracul miracl35
mirror reflector20
miser poor20 suffer20
misfortun troubl20
miss girl20 woman20
missil arm20 weapon20
mission missionari35
missionari mission35
mist misti35 fog20
mistak error20 fault20
mistaken fals20
misti mist35
mix mixtur55 mixabl35 mixer35 fuse20 integr20 merg20
mixabl mix35
mixer mix35
mixtur mix35 substanc20
mob mobster35 crowd20
mobil ralli20
mobster mob35
mock mocker35 mockeri35 deris20 ridicul20
mocker mock35
mockeri mock35
mode fashion20 manner20 properti20 style20 way20
model hypothesi20 mold20 pattern20 possibl20 theori20
moder adult20
modern improv20 individu20 mortal20 person20 someon20 soul20
modif modifi35
modifi modif35
modul passag20
moist damp20
moisten moistur35
moistur moisten35 moisturis35 wet20
moisturis moistur35
mold moldabl35 moldi35 cast20 model20 solid20 stamp20
moldabl mold35
moldi mold35
molecul molecular35 unit20
molecular molecul35
moment momentan35 momentari35 instant20 minut20 point20 second20
momentan moment35
momentari moment35
momentum forc20 strength20
monast religi20
monetari money35
money monetari35
monk religi20
monocl len20
monopol monopoli35
monopoli monopol35 monopolis35 monopolist35 market20 marketplac20
monopolis monopoli35
monopolist monopoli35
monster monstrous35
monstros monstrous35
monstrous monster35 monstros35
month period20
monument construct20 structur20
mood moodi35 climat20 feel20 temper20
moodi mood35
moon mooni35
mooni moon35
moonlight light20
moral moralist35 import20 mean20 qualiti20 signific20
moralist moral35
moreov furthermor20
morn period20
moroccan morocco35
morocco moroccan35
mortal caus20 individu20 organ20 person20 someon20 soul20
most general20 larg20
mother motherhood35 fuss20 parent20
motherhood mother35
motif design20 figur20 pattern20
motion gestur20
motionless still20
motiv prompt20
motor motorist35 drive20 machin20
motorist motor35
mount mounter35 hors20 wax20
mounter mount35
mourn mourner35
mourner mourn35
mous mousey35 mousi35
mousey mous35
mousi mous35
mouth speak20 talk20
move moveabl35 movement35 mover35 conclus20 decis20 determin20
moveabl move35
movement move35 chang20
mover move35
movi film20 product20 show20
mucos mucosa35
mucosa mucos35
mud muddi35 dirt20 soil20
muddi mud35
mulch protect20
multipl multipli35 magnitud20 product20
multipli multipl35
mumbl mumbler35 mutter20
mumbler mumbl35
murder crimin20 killer20
murmur sound20
muscl muscular35 musculoskelet35 contractor20
muscular muscl35
musculoskelet muscl35
muse muser35 ponder20 reflect20
muser muse35
music musician35 film20 flick20 movi20 pictur20 play20
musician music35 musicianship35 perform20 player20
musicianship musician35
muster gather20
mutter grumbl20 mumbl20 sound20
mysteri mystifi35
mystifi mysteri35
myth mythic35 mytholog35 stori20
mythic myth35
mytholog myth35
nail nailer35 arrest20 collar20
nailer nail35
nake naked35 bare20
naked nake35
name namer35 call20 identifi20
namer name35
narrat content20 messag20 stori20 substanc20 tale20
narrow narrowli35 sound20
narrowli narrow35
nation nationalist35 countri20 individu20 loyalti20 mortal20 person20
nationalist nation35
nativ individu20 mortal20 person20 someon20 soul20
natur cours20 qualiti20 success20
navi servic20
nazi nazism35
nazism nazi35
near almost20 approach20 close20 virtual20
necess necessari35 necessit35 demand20 essenti20 requir20
necessari necess35 necessarili35 thing20
necessarili necessari35 inevit20
necessit necess35 demand20 requir20
neck necker35
necker neck35
need requir20
negat denial20
neglect neglig35 disregard20 fail20
neglig neglect35
negro color20 individu20 mortal20 person20 someon20 soul20
neighbor neighborhood35 individu20 mortal20 person20 someon20 soul20
neighborhood neighbor35 local20 section20
neocort neocortex35
neocortex neocort35 cortex20
nerv nervi35 nervous35
nervi nerv35
nervous nerv35
nest nester35
nester nest35
nestl embrac20
net final20
network scheme20 system20
neurosi neurot35 disturb20
neurot neurosi35
neutral neutralist35 imperson20 individu20 mortal20 person20 someon20
neutralist neutral35 advoc20
nevertheless howev20 still20
new fresh20 newli20 novel20
newborn babe20 babi20
newli fresh20 new20
news newsi35 inform20
newsi news35
newspap press20
next adjac20 follow20
nice decent20
nickel metal20
night period20
nightclub spot20
nine figur20
nineteenth rank20
ninth rank20
nitric nitrogen35
nitrifi nitrogen35
nitrogen nitric35 nitrifi35 nitrous35 element20 gas20
nitrous nitrogen35
nobl nobli35
nobli nobl35
nod gestur20 motion20
nois noisi35 sound20
noisi nois35 noisili35
noisili noisi35
nonsens content20 messag20 substanc20
noon hour20
norm normat35 averag20 criterion20 measur20 standard20
normal common20 ordinarili20 practic20 usual20
normat norm35
north union20
nose nosey35 poke20
nosey nose35
note mention20 notic20 observ20 remark20
noth zero20
notic notifi35 announc20 detect20 discov20 find20 note20
notif notifi35
notifi notic35 notif35 advis20
notion belief20 feel20 idea20 impress20 thought20
nov novemb20
novel novelett35 novelist35 fiction20 new20
novelett novel35
novelist novel35 author20 writer20
novemb nov20
now present20 today20
nowher obscur20
nuclear nucleus35 atom20
nucleat nucleus35
nucleus nuclear35 nucleat35
number amount40 total20
numer numeros35
numeros numer35
nurs nurser35 nurseri35 harbor20
nurser nurs35
nurseri nurs35
oath curs20
object objectifi35 objector35 aim20 communic20 end20 goal20
objectifi object35
objector object35
oblig compel20 duti20 respons20
obscur cloud20 vagu20
observ detect20 discov20 find20 individu20 measur20 mention20
obstacl check20
obtain receiv20
obvious evid20 plain20
occas occurr20
occup occupi35 activ20 job20 resid20
occupi occup35 busi20 resid20
occur happen20
occurr event20
ocean water20
odd odditi35
odditi odd35
odor properti20 smell20
offend offens35
offens offend35
offer offeror35
offeror offer35
offic offici35 agenc20 man20
offici offic35 officialdom35
officialdom offici35
offset point20
often frequent20
oil oiler35 oili35
oiler oil35
oili oil35 greasi20
old past20
older elder20
omit exclud20
one ace20 figur20 uniti20
onset start20
open area20 countri20 gap20 space20
oper function40 action20 activ20 map20
opera operat35 classic20
operat opera35
opin opinion35
opinion opin35 belief20 sentiment20
oppon oppos35
opportun chanc20 possibl20
oppos oppon35 opposit35 fight20
opposit oppos35 action20 contrari20 resist20 revers20 word20
optim optimum35
optimis optimum35
optimum optim35 optimis35 good20
oral examin20 test20
orbit domain20 path20 rout20 sphere20
orchestr orchestra35
orchestra orchestr35
order orderli35 arrang20 bid20 command20 soldier20 tender20
orderli order35
ordinari ordinarili35 averag20 judg20 justic20
ordinarili ordinari35 common20 normal20 usual20
organ organism35 organist35 organiz35 form20
organism organ35
organist organ35
organiz organ35
orient east20 point20
origin aris20 creation20 descent20 initi20 point20 root20
orthograph orthographi35
orthographi orthograph35 write20
ossif ossifi35
ossifi ossif35
otherwis differ20
outburst express20 manifest20 reflect20
outcom conclus20 consequ20 effect20 finish20 result20
outfit outfitt35 unit20
outfitt outfit35
outlin bound20 boundari20 sketch20
outlook attitud20 expect20 prospect20
output product20 yield20
outreach reach20 stretch20
outsid extern20 part20 region20
outstand promin20
overcom defeat20 master20
overhead expens20
overlap represent20
overlook place20 spot20
overthrow conclus20
owner ownership35 businessman20 proprietor20
ownership owner35 possess20 relat20
oxen cattl20 cow20
oxid reaction20
oxygen element20 gas20
pace pacer35 rate20 step20 stride20
pacer pace35
pack packabl35 packag35 packer35
packabl pack35
packag pack35 box20 bundl20 collect20 packet20
packer pack35
packet bundl20 collect20 packag20
page pager35 leaf20
pager page35
pail vessel20
pain sore20 symptom20
paint painter35 coat20 color20 pictur20
painter paint35 artist20
pair coupl20 mate20 set20
palac palati35 palatin35 hall20 resid20
palati palac35
palatin palac35
pale strip20
palm palmar35 area20 region20
palmar palm35
panic panicki35 fear20 terror20
panicki panic35
pant gasp20 nois20
papa father20 pop20
paper paperi35 paperlik35 document20 materi20 stuff20 write20
paperi paper35
paperlik paper35
paradigm paradigmat35
paradigmat paradigm35
paragraph write20
parallel similar20
paramet parametr35 constant20
parametr paramet35
pardon excus20
parent parentag35 parenthood35
parentag parent35
parenthood parent35
pari parisian35
parisian pari35
park common20 green20 tract20
parliament parliamentari35
parliamentari parliament35
part partial55 partit35 compon20 portion20 relat20
parti organ20
partial part55
particip participatori35 enter20 involv20
participatori particip35
particl materi20 stuff20
particular especi20 fact20 peculiar20 special20
partit part35
partner partnership35 relat20
partnership partner35 busi20 concern20
pass passag35 passer35 accomplish20 achiev20 walk20
passag pass35 transit20
passer pass35
passion feel20
passiv voic20
past paster35 pasti35 composit20 glue20 time20
paster past35
pasti past35
pastor pastorship35 clergyman20 minist20
pastorship pastor35
pastur pasturag35
pasturag pastur35
pat sound20
patch patchi35 piec20 plot20
patchi patch35
patenc patent35
patent patenc35 patente35 document20 paper20
patente patent35
path cours20
patienc patient35
patient patienc35 case20
patrol polic20
pattern model20 practic20 structur20
paus hesit20 interv20
pay paye35 payer35 payment35 earn20 salari20 wage20
paye pay35
payer pay35
payment pay35 cost20
peac order20
peak peaki35 flush20 limit20
peaki peak35
peasant peasanthood35
peasanthood peasant35
pebbl rock20 stone20
peculiar curious20 funni20 particular20 queer20 singular20 special20
peddl peddler35
peddler peddl35
peer equal20 individu20 mortal20 person20 someon20 soul20
pegboard board20
pen write20
penalis penalti35
penalti penalis35 punish20
peopl group20
perceiv percept35 percipi35 comprehend20
percent percentag20 proport20
percentag percent20 proport20 share20
percept perceiv35 perceptu35 represent20
perceptu percept35
perch percher35 support20
percher perch35
percipi perceiv35
perfect perfectionist35 absolut20 state20 utter20
perfectionist perfect35
perform show20
perhap mayb20 possibl20
peripher peripheri35
peripheri peripher35
perish die20 expir20
perman wave20
permiss permit55 approv20
permit permiss55 allow20 instrument20 licens20
persist strength20
person personhood35 personifi35 attribut20 caus20 individu20 mortal20
persona personifi35
personhood person35
personif personifi35
personifi person35 persona35 personif35
personnel organ20
perspect view20
perspir sweat20
persuad persuas35
persuas persuad35
pertain pertin35 concern20 refer20 relat20
pertin pertain35
petit petition35 petitionari35 content20 messag20 request20 substanc20
petition petit35 applic20
petitionari petit35
phase period20 stage20
phenomen phenomenon35
phenomenon phenomen35 process20
philosoph philosophi35 scholar20 student20
philosophi philosoph35 philosophis35 belief20 doctrin20
philosophis philosophi35
phonat phone35
phone phonat35 phoner35 phonet35 phonic35 telephon20
phoner phone35
phonet phone35
phoni cheat20 fake20
phonic phone35
phonolog phonologist35
phonologist phonolog35
phosphat salt20
photograph photographi35 represent20
photographi photograph35
phrasal phrase35
phrase phrasal35 construct20 express20 word20
physic physicist35
physician doctor20
physicist physic35
pianist piano35 musician20 player20
piano pianist35
pick picker35 choic20
picker pick35
pictori pictur35
pictur pictori35 depict20 envis20 fanci20 paint20 represent20
piec part20 patch20 portion20
pig piggi35 piglet35
piggi pig35
piglet pig35
pile collect20 heap20 jam20 lot20 mass20 plenti20
pill thing20
pilot pilotag35
pilotag pilot35
pinch difficulti20
pink pinkifi35
pinkifi pink35
pinpoint instant20 minut20 moment20 second20
pipe piper35 shriek20 shrill20 tube20
piper pipe35
pistol firearm20 piec20
pit hole20 hollow20
pitch pitcher35 pitchi35 lurch20 play20 toss20
pitcher pitch35 ballplay20
pitchi pitch35
piti sympathi20
place placement35 lay20 point20 posit20 put20 set20
placement place35 posit20
plagu plaguey35 plaguy35 beset20
plaguey plagu35
plaguy plagu35
plain appar20 earth20 evid20 ground20 land20 obvious20
plan planner35 design20 idea20 program20 thought20
planar plane35
planat plane35
plane planar35 planat35 planer35 airplan20 flat20 level20
planer plane35
planet planetari35
planetari planet35
plank board20 lumber20 timber20
planner plan35
plant plantal35 planter35 plantlet35 complex20 work20
plantal plant35
planter plant35 farmer20
plantlet plant35
plate plater35 bag20 base20
plater plate35
platform level20
plato platon35
platon plato35 platonist35
platonist platon35
play player35 playlet35 drama20
player play35 musician20
playlet play35
plead pleader35
pleader plead35
pleas pleasing35
pleasanc pleasant35
pleasant pleasanc35
pleasing pleas35
pleasur feel20 joy20
plenteous plenti35
plenti plenteous35 enough20 heap20 lot20 mass20 pile20
pleura pleural35
pleural pleura35
plight difficulti20
plod plodder35 trudg20 walk20
plodder plod35
plot plotter35 diagram20 patch20 scheme20 strategi20
plotter plot35
plow plower35 deal20 tool20
plower plow35
plug plugger35 block20 stop20
plugger plug35
plung plunger35 dive20 swim20
plunger plung35
poet poetic35 poetis35 poetiz35 author20 writer20
poetic poet35 poetri35
poetis poet35
poetiz poet35
poetri poetic35 vers20
poignanc poignant35
poignant poignanc35
point pointer35 compon20 constitu20 element20 factor20 indic20
pointer point35
pois brace20
poison substanc20
poke poker35 pokey35 jab20 nose20
poker poke35
pokey poke35
polic forc20 patrol20 personnel20
polish shine20 smooth20
polit politician35
politician polit35 leader20
poll pollard35 pollster35 inquiri20 research20
pollard poll35
pollen pollin35
pollin pollen35
pollster poll35
polynomi function20 map20
polyphosph salt20
pond pool20
ponder muse20 reflect20
pool pond20
poor bad20 ill20 miser20 peopl20
pop popper35 father20 papa20
pope cathol20
popper pop35
popul live20 peopl20
popular qualiti20
porch construct20 structur20
poros porous35
porous poros35
port portag35 porter35
portag port35
portal entranc20 entri20
porter port35
portion compon20 part20 relat20
portrait portray35
portraitist portray35
portraitur portray35
portray portrait35 portraitist35 portraitur35
pose poser35
poser pose35
posit position35 positiv35 adject20 convinc20 lay20 place20
position posit35
positiv posit35 positivist35
positivist positiv35
poss law20 polic20
possess possessor35 control20 ownership20
possessor possess35
possibl expect20 mayb20 outlook20 perhap20 prospect20
post postag35 postal35 poster35 place20 posit20
postag post35
postal post35
poster post35
postul contend20 proposit20
postur attitud20
pot toilet20 vessel20
potassium metal20
potenc potent35 potenti35
potent potenc35
potenti potenc35 possibl20
pound poundag35 pounder35 ram20
poundag pound35
pounder pound35
pour swarm20
powder powderi35 solid20
powderi powder35
power qualiti20
practic activ20 exercis20 pattern20
prais approv20
pray prayer35 beg20
prayer pray35 worship20
preach preacher35 preachment35 address20 advoc20 speech20
preacher preach35 clergyman20
preachment preach35
precaut precautionari35 measur20 step20
precautionari precaut35
preced precess35
precess preced35
precios precious35
precious precios35
precipit solid20
precis exact20
predict predictor35
predictor predict35
prefer preferenti35 choos20
preferenti prefer35
prepar preparatori35 prepared35 activ20 cook20 formul20 readi20
preparatori prepar35
prepared prepar35
prescrib prescript35 dictat20
prescript prescrib35
presenc present35 exist20
present presenc35 ceremoni20 demonstr20 short20 show20 soon20
preserv area20 domain20 field20 maintain20 orbit20 sphere20
presid presidenti35 presidentship35
presidenti presid35
presidentship presid35
press pressur35 urg20
pressur press35 pressuris35 forc20
pressuris pressur35
prestig prestigi35 stand20
prestigi prestig35
presum presumpt35 assum20
presumpt presum35
presuppos presupposit35
presupposit presuppos35
pretend pretens35
pretens pretend35
pretti prettili35 fair20 reason20 somewhat20
prettili pretti35
prevail preval35 domin20 reign20
preval prevail35
prevent forbid20 interfer20
previs vision20
prey target20 victim20
price pricey35 prici35 cost20 valu20
pricey price35
prici price35
prick pricker35 bastard20
pricker prick35
pride feel20
priest priesthood35 clergyman20 order20
priesthood priest35
primari primarili35 elect20
primarili primari35 chiefli20 main20
prime primer35 number20
primer prime35
primit individu20 mortal20 person20 someon20 soul20
princip principalship35 chief20 debt20 main20
principalship princip35
print printer35 publish20
printer print35
prior prioriti35 priorship35 superior20
priorit prioriti35
prioriti prior35 priorit35
priorship prior35
prison unfortun20
privileg advantag20
prize gift20 treasur20 valu20
pro athlet20 profession20
probabilist probabl35
probabl probabilist35 amount20 applic20 like20 measur20 quantiti20
probe inquiri20 research20
problem problemat35 difficulti20
problemat problem35
procedur proceed35 activ20 process20
proceed procedur35 process35 continu20
process proceed35 processor35 activ20 procedur20 treat20
processor process35
proclaim proclam35 exclaim20
proclam proclaim35 announc20 statement20
procreat sex20
procur acquisit20
produc product35 food20 maker20 manufactur20
product produc35 act20 good20 merchandis20
profess profession35
profession profess35 adult20 pro20
professor professori35 professorship35 academ20
professori professor35
professorship professor35
profil chart20 graph20
profit benefit20 earn20 gain20 incom20
profound profund35 deepli20
profund profound35
program programm35 idea20 plan20 thought20
programm program35
progress advanc20 develop20
prohibit prohibitionist35 ban20 forbid20 law20
prohibitionist prohibit35
project projector35 anticip20 previs20 protrud20 task20 work20
projector project35
prolong extend20 lengthi20
promin outstand20 stand20
promis promise35 promisor35 promissori35 commit20 dedic20
promise promis35
promisor promis35
promissori promis35
promot content20 elev20 encourag20 further20 messag20 substanc20
prompt prompter35 motiv20 quick20
prompter prompt35
pronomin pronoun35
pronoun pronomin35
pronounc pronunci35
pronunci pronounc35
proof evid20 ground20
propaganda propagandist35
propagandist propaganda35
proper decent20
properti possess20
propheci prophet35
prophet propheci35
proport quantiti20 relat20
propos proposit35 content20 messag20 substanc20 suggest20
proposit propos35 statement20 suggest20
proprietari proprietor35
proprietor proprietari35 proprietorship35 businessman20 owner20
proprietorship proprietor35 ownership20
prosecut prosecutor35
prosecutor prosecut35
prospect prospector35 expect20 outlook20 potenti20
prospector prospect35
proteas enzym20
protect protector35 activ20
protector protect35
protein proteinac35
proteinac protein35
protest protestant35 christian20 object20
protestant protest35 christian20
protrud protrus35 project20
protrus protrud35
prove demonstr20 show20
provid providenti35 provis35 furnish20 render20 suppli20
providenti provid35
provinc provinci35 respons20 state20
provinci provinc35 offici20
provis provid35 provision35 provisionari35 condit20
provision provis35
provisionari provis35
provoc provok35
provok provoc35 arous20 elicit20 evok20
pseudo cheat20
psych psychic35
psychic psych35
psycholog psychologist35 scienc20
psychologist psycholog35 scientist20
public publicist35 publish35 advertis20 peopl20 work20
publicist public35
publish public35 firm20 hous20 issu20 print20
pull puller35 attract20 draw20
puller pull35
puls pulsat35
pulsat puls35
punch puncher35 blow20
puncher punch35
punish punit35 punitori35 penalti20
punit punish35
punitori punish35
pupil pupillari35 student20
pupillari pupil35
purchas acquisit20 buy20
pure strict20 utter20
purif purifi35
purifi purif35 puriti35
puriti purifi35
purl swirl20 thread20
purpl purpur35
purpos aim20 end20 function20 goal20 intent20
purpur purpl35
purs contain20
pursu pursuanc35 pursuant35 pursuer35 pursuit35 engag20
pursuanc pursu35
pursuant pursu35
pursuer pursu35
pursuit pursu35 chase20 motion20 move20 movement20
push pusher35 pushi35 thrust20
pusher push35
pushi push35
put lay20 place20 posit20 set20
puzzl puzzlement35 puzzler35 amaz20 problem20
puzzlement puzzl35
puzzler puzzl35
pyrex glass20
quack quackeri35 doctor20 physician20
quackeri quack35
quak quaker35 earthquak20 quiver20
quaker quak35
qualif qualifi35
qualifi qualif35 qualiti35
qualiti qualifi35 attribut20
quantifi quantiti35
quantit quantiti35
quantiti quantifi35 quantit35 abstract20 measur20
quarrel disput40 conflict20 differ20 row20 wrangl20
quarterback back20
queen insect20
queer curious20 funni20 gay20 peculiar20 singular20
question inquiri20 request20
quick quicker35 quickest35 area20 prompt20 rapid20 region20
quicker quick35
quickest quick35
quiet calm20 soft20 still20
quirt whip20
quit quitter35 ceas20 discontinu20 stop20
quitter quit35
quiver chill20 fear20 quak20 thrill20
quot quotat35 quoter35
quotat quot35
quoter quot35
rabbi rabbin35
rabbin rabbi35
race racer35 competit20 contest20 hasten20 rush20 speed20
racer race35
rack frame20
radial radius35
radianc radiant35 radiat35
radiant radianc35 radiat35
radiat radianc35 radiant35 energi20
radic group20 revolutionari20 unit20
radius radial35 length20
rag ragged35
rage anger20 furi20 storm20
ragged rag35
raid raider35
raider raid35
rail barrier20
railroad line20
rain raini35
raini rain35
rais raiser35 elev20 increas20 lift20
raiser rais35
ralli gather20 mobil20
ram rammer35 pound20
rammer ram35
ranch rancher35
rancher ranch35 farmer20
rang rangi35 compass20 extent20 reach20 roam20 scope20
rangi rang35
rank ranker35 grade20 line20 rate20
ranker rank35
ransack comb20 rifl20
rap blame20 reproach20
rapid quick20
rare seldom20
rat ratlik35 ratter35 ratti35
rate evalu20 grade20 rank20
rather instead20
ratif ratifi35
ratifi ratif35 sign20
ratio ration35
ration ratio35 intellectu20 real20
ratlik rat35
ratter rat35
ratti rat35
rattl rattler35 nois20
rattler rattl35
ray rayless35 light20
rayless ray35
reach attain20 compass20 limit20 rang20 scope20
react reactant35 reaction35 reactiv35 respond20
reactant react35
reaction react35 reactionari35
reactionari reaction35 conserv20
reactiv react35 sensibl20 sensit20
read reader35 languag20 public20
reader read35 readership35 scholar20 student20
readership reader35
readi prepar40 cook20 state20
real realiti35 realli35 imaginari20
realism realist35 realiti20
realist realism35
realiti real35 experi20 realism20
realiz understand40 apprehens20 recogn20 see20
realli real35 actual20 truli20
realm area20 domain20 field20 orbit20 sphere20
rear format20 rearward20
rearward rear40 back20 backward20
reason argu20 conclud20 fair20 ground20 pretti20 somewhat20
reb rebel20
rebel rebellion35 reb20
rebelli rebellion35
rebellion rebel35 rebelli35 resist20
rebuild reconstruct20
rebut rebutt35
rebutt rebut35
recal rememb20 request20
reced recess35
receiv receivership35 recept35 receptor35 obtain20 set20
receivership receiv35
recenc recent35
recent recenc35 late20
recept receiv35 receptionist35 greet20
receptionist recept35 secretari20
receptor receiv35
recess reced35
reckon calcul20 estim20 figur20 forecast20 guess20 imagin20
recogn recognit35 realiz20
recognit recogn35 accept20
recollect memori20 retent20
recommend advic20 advoc20 urg20
reconcil reconcili35
reconcili reconcil35
reconsid reconsider35
reconsider reconsid35
reconstruct rebuild20
record disc20 evid20 sign20 signal20
recount count20
recov recover35 recoveri35 regain20 retriev20
recover recov35
recoveri recov35 advanc20 improv20
recreat activ20 divers20
recruit accomplish20 achiev20 enrol20
recur recurr35
recurr recur35
red crimson20
redcoat soldier20
reduc reduct35 cut20
reduct reduc35
reel reeler35 film20 lurch20 spin20 stagger20
reeler reel35
refer refere35 referenti35 referr35 cite20 comment20 concern20
refere refer35
referenti refer35
referr refer35
reflect reflector35 consider20 contempl20 muse20 ponder20
reflector reflect35 devic20
reflex reflexli35 reaction20 respons20
reflexli reflex35
reform reformatori35 reformist35 improv20
reformatori reform35
reformist reform35
refund payment20 repay20
refus declin20 denial20 reject20 wast20
regain recov20 retriev20
regard consid20 detail20 heed20 item20 point20 respect20
region locat20
regist registr35 registri35 file20
registr regist35 entranc20 entri20 individu20 mortal20 person20
registri regist35
regret sorrow20
regul rule40 regulatori35 govern20
regulatori regul35
rehears drill20 exercis20 practic20
reign domin20 period20 prevail20
reinforc reward20
reiter repeat20
reject act20 declin20 refus20
relat related35 relationship35 abstract20 associ20 compar20 concern20
related relat35
relationship relat55
releas free20 loos20 merchandis20 product20
relev connect20
reliabl depend20
relief comfort20
religi religion35 religios35 spiritu20
religion religi35 religionist35 belief20 faith20
religionist religion35
religios religi35
remain remaind35 stay20
remaind remain35 compon20 constitu20 part20 portion20 rest20
remark comment20 mention20 note20 observ20 singular20 statement20
remedi cure20
rememb remembr35 recal20
remembr rememb35
remind content20 messag20 substanc20
remot remov35 devic20
remov remot35 distanc20 separ20
render rendit35 furnish20 provid20 suppli20
rendit render35
rent rental35 renter35 tear20
rental rent35
renter rent35
repair repar35 fix20 improv20 mend20
repar repair35
repay refund20
repeat repetit55 reiter20
repetit repeat55 repetiti35
repetiti repetit35
replac exchang20
repli answer20 respond20 statement20
report reportag35 describ20 document20 paper20
reportag report35
repres represent35 symbol20
represent repres35 content20
reproduc reproduct35
reproduct reproduc35
republ democraci20
republican politician20
reput honor20
request content20 messag20 petit20 substanc20
requir requisit35 demand20 duti20 essenti20 expect20 necess20
requisit requir35
rescu rescuer35 recoveri20 save20
rescuer rescu35
research inquiri20 investig20
resembl similitud20
resent bitter20
reserv reservist35 appropri20 forc20 militia20
reservist reserv35
resid residenti35 address20 occup20 occupi20
residenti resid35
resist action20 defi20 opposit20
resolut resolv35 document20 paper20
resolv resolut35 decid20 settl20
resort hotel20
respect detail20 honor20 item20 point20 regard20
respir respiratori35
respiratori respir35
respit eas20 relief20
respond respons35 answer20 react20 repli20
respons respond35 consequ20 duti20 effect20 event20 issu20
rest rester35 compon20 constitu20 part20 portion20 remaind20
restaur build20
rester rest35
restrain restraint35
restraint restrain35 control20
restrict curtail20 limit20 regul20 rule20
result answer20 consequ20 degre20 effect20 ensu20 lead20
resum resumpt35 summari20 survey20
resumpt resum35
retail distributor20 merchant20
retent ownership20 possess20
retir retire35 posit20 status20 withdraw20
retire retir35
retort repli20 respons20
retreat withdraw20
retriev recov20 regain20
return instrument20
reunion reunit35
reunit reunion35
reveal revel35 revelatori35 disclos20 expos20
revel reveal35 revelri35
revelatori reveal35
revelri revel35
reveng return20
revenu amount20 sum20
revers opposit40 contrari20
revis translat20
revolt revolut35
revolut revolt35 revolution35 revolutionari35 revolutionis35 revolutionist35 revolv35
revolution revolut35
revolutionari radic40 revolut35
revolutionis revolut35
revolutionist revolut35
revolv revolut35
reward consequ20 honor20 reinforc20
rhythm rhythmic35
rhythmic rhythm35
rib support20
ribbon ribboni35 object20
ribboni ribbon35
rice ricer35
ricer rice35
rich peopl20
rid riddanc35 free20
riddanc rid35
ride rider35 journey20
rider ride35
ridicul absurd20
rifl firearm20 piec20 ransack20
rig rigger35
rigger rig35
right abstract20 correct20
ring ringer35 echo20 sound20
ringer ring35
rippl wave20
rise riser35 growth20
riser rise35
risk danger40 riski35 adventur20 chanc20 hazard20
riski risk35
ritual custom20 usag20
rival rivalr35 rivalri35 competitor20 equal20
rivalr rival35
rivalri rival35
river stream20
road rout20 way20
roadway road20 rout20
roam roamer35 rang20 stray20 wander20
roamer roam35
roar roarer35 bellow20 boom20 holler20 nois20 thunder20
roarer roar35
rob robber35 robberi35 hook20 soak20
robber rob35 thief20
robberi rob35
rock rocker35 rocki35 stone20 sway20
rocker rock35
rocki rock35
role duti20
roleplay act20 play20
roll roller35 revolut20
roller roll35
roman italian20
romanc romant35 relationship20
romant romanc35 romantic35
romantic romant35
roof roofer35 protect20
roofer roof35
rooki initi20
room roomer35 roomett35 roomi35 area20 board20
roomer room35
roomett room35
roomi room35
root rootag35 rootlet35 origin20 sourc20
rootag root35
rootlet root35
rope roper35 ropey35 line20
roper rope35
ropey rope35
rose bush20
rot decay20
rotat rotatori35
rotatori rotat35
rough approxim20 site20
round rounder35 ammunit20 circular20 cycl20
rounder round35
rousseau rousseauan35
rousseauan rousseau35
rout line20 road20
routin everyday20 procedur20 process20
row rower35 line20 quarrel20 wrangl20
rower row35
royal royalti35 canva20 sail20 sheet20
royalti royal35 payment20
rpm rate20
rub obstacl20 scratch20
rubber rubberi35
rubberi rubber35
rug rugged35
rugged rug35
ruin ruinat35 ruiner35 ruinous35 destroy20
ruinat ruin35
ruiner ruin35
ruinous ruin35
rule ruler35 concept20 construct20 convent20 judgment20 regul20
ruler rule35 rulership35 individu20 mortal20 person20 someon20
rulership ruler35
rumbl growl20 grumbl20 nois20
rumor comment20 gossip20
run runner35 runni35 score20 trial20
runner run35 crimin20
runni run35
rush rusher35 rushi35 hast20 hasten20 motion20 move20
rusher rush35
rushi rush35
russia russian35
russian russia35 nativ20
rust rusti35
rusti rust35
rustl rustler35 nois20 thiev20
rustler rustl35
sacr sacred35
sacred sacr35
sacrific sacrifici35 act20
sacrifici sacrific35
saddl saddleri35 seat20
saddleri saddl35
safeti condit20 status20
sag depress20 impress20
sail sailor35 sweep20
sailor sail35
saint sainthood35 divin20 god20 immort20
sainthood saint35
sake benefit20 interest20
salari earn20 pay20 wage20
sale market20 sell20
salesman salesmanship35
salesmanship salesman35
saloon bar20 room20
salt salter35 salti35 compound20
salter salt35
salti salt35
salv salvag35 salvat35
salvag salv35
salvat salv35 salvif35 rescu20 save20
salvif salvat35
sampl sampler35 exampl20 illustr20 instanc20 repres20
sampler sampl35
sanction approv40 counten20
sand sander35 sandi35 dirt20 soil20
sander sand35
sandi sand35
sarcasm sarcast35
sarcast sarcasm35
satir satiris35 satirist35 humor20 ironi20 wit20
satiris satir35
satirist satir35
satisfact satisfi35
satisfactori satisfactorili35 satisfi35
satisfactorili satisfactori35
satisfi satisfact35 satisfactori35 fulfil20
savag savageri35 primit20 vicious20
savageri savag35
save saver35 action20 bar20 prevent20 rescu20
saver save35
savor tast40 bask20 enjoy20
say alleg20 chanc20 opportun20 state20
scalag scale35
scalar scale35
scale scalag35 scalar35 scaley35 scali35 scalic35 criterion20
scaley scale35
scali scale35
scalic scale35
scamper hast20 hurri20 rush20
scan scanner35 scansion35 examin20 scrutini20
scanner scan35
scansion scan35
scar scarifi35 symptom20
scarc bare20 hard20
scare scarer35 scari35 anxieti20 frighten20
scarer scare35
scari scare35
scarifi scar35
scatter distribut20
scene scenic35 area20 countri20
sceneri scenic35
scenic scene35 sceneri35
scent odor20 smell20
schedul plan20 program20
schemat scheme35
scheme schemat35 schemer35 strategi20
schemer scheme35
schizophren schizophrenia35
schizophrenia schizophren35
scholar scholarship35 intellect20 intellectu20 student20
scholarship scholar35 aid20 award20 learn20 prize20
scholast school35
school scholast35
scienc scientist35 disciplin20 field20 skill20 studi20 subject20
scientist scienc35 individu20 mortal20 person20 someon20 soul20
scof scoff35
scoff scof35
scopal scope35
scope scopal35 compass20 extent20 rang20 reach20
score scorer35 evalu20 mark20 rate20
scorer score35
scorn scorner35 contempt20 despis20 disdain20 dislik20
scorner scorn35
scot european20
scrambl scrambler35 battl20 clamber20 struggl20
scrambler scrambl35
scrape scraper35 nois20
scraper scrape35
scratch scratcher35 scratchi35 rub20 wound20
scratcher scratch35
scratchi scratch35
scream cri40 shout40 yell40 screamer35 call20 holler20
screamer scream35
screech screecher35 screechi35 creak20 nois20 scream20 shriek20
screecher screech35
screechi screech35
screen screener35 surfac20 test20
screener screen35
script scriptur35
scriptur script35 bibl20
scrub scrubber35 scrubbi35
scrubber scrub35
scrubbi scrub35
scrutin scrutini35
scrutini scrutin35 scrutinis35 examin20 investig20
scrutinis scrutini35
sculpt sculptur35
sculptur sculpt35
sea water20
seal sealant35 sealer35
sealant seal35
sealer seal35
search searcher35 activ20 hunt20 seek20
searcher search35
season period20
seat behind20 space20
seced secess35 splinter20
secess seced35
second minut20 moment20
secondari secondarili35 format20
secondarili secondari35
secret inform20
secretari secretaryship35 chief20 head20
secretaryship secretari35
section music20 write20
sector sectori35
sectori sector35
secur fasten20 fix20 safeti20
see seer35 realiz20 seat20 understand20
seed seeder35 seedi35 fruit20
seeder seed35
seedi seed35
seek motion20 movement20 search20
seem appar20 appear20 look20
seep seepag35
seepag seep35
seer see35
segreg individu20 mortal20 person20 someon20 soul20
seiz seizer35 seizur35 clutch20
seizer seiz35
seizur seiz35
seldom rare20
select selector35 action20 choic20 choos20
selector select35
self conscious20 ego20
sell seller35 commerc20 market20 sale20
seller sell35
senat senatori35 senatorship35 legisl20 legislatur20
senatori senat35
senatorship senat35
send sende35 sender35
sende send35
sender send35
sens sensat35 sensibl35 sensifi35 sensit35 sensor35 sensori35
sensat sens35 sensori35 percept20 star20
sensibl sens35 conscious20
sensifi sens35
sensit sens55 sensat20
sensor sens35 devic20
sensori sens35 sensat35
sensuous sens35
sentenc sententi35 convict20
sententi sentenc35
sentiment feel20 opinion20
separ separatist35 articl20 detach20 isol20 state20
separatist separ35
septal septum35
septat septum35
septum septal35 septat35
sequenc sequenti35 seri20 success20
sequenti sequenc35
seri serial35 order20
serial seri35
serious bad20 sever20
serpent snake20
serum humor20
serv servant35 server35 servitor35 function20
servant serv35 worker20
server serv35
servic employ20 work20
servitor serv35
session confer20
set collect20 environ20 fit20 fix20 lay20 place20
settl settlement35 settler35 bench20 decid20 resolv20
settlement settl35 bodi20 coloni20 villag20
settler settl35
seven figur20
sever bad20 serious20 various20
sew sewer35
sewag wast20
sewer sew35 drain20
sex sexi35 sexual35 activ20
sexi sex35
sexual sex35
shade shadi35
shadi shade35
shadow shadowi35 dark20 shade20
shadowi shadow35
shaft line20
shake shaker35 shaki35
shaker shake35
shakespear shakespearean35 shakespearian35
shakespearean shakespear35
shakespearian shakespear35
shaki shake35
shallow shallowli35 water20
shallowli shallow35
shame feel20
shape shaper35 contour20 determin20 influenc20
shaper shape35
share sharer35 percentag20
sharer share35
sharp sharpli35
sharpli sharp35
shave shaver35
shaver shave35
shear shearer35
shearer shear35
sheer absolut20 curv20 swerv20 veer20
shelf shelfi35 shelflik35 support20
shelfi shelf35
shelflik shelf35
shell sheller35 ammunit20
sheller shell35
shelter construct20 structur20
shield shielder35 protect20
shielder shield35
shift shifter35 shifti35 translat20
shifter shift35
shifti shift35
shine shiner35 shini35 beam20 bright20
shiner shine35
shini shine35
ship shipment35 shipper35 vessel20
shipment ship35 dispatch20 freight20 merchandis20 product20
shipper ship35
shiver shiveri35 reflex20 shudder20
shiveri shiver35
shock shocker35
shocker shock35
shoot shooter35 shot20
shooter shoot35
shop shopper35 frequent20 store20 workshop20
shopper shop35
shore format20
short abrupt20 present20 soon20 sudden20 tract20
shortag defici20
shot shoot20
shout shouter35 cri20 holler20 scream20 yell20
shouter shout35
shove shover35 push20
shover shove35
show showi35 demonstr20 display20 entertain20 present20 prove20
shower showeri35
showeri shower35
showi show35
shriek call20 cri20 pipe20 scream20 screech20 shout20
shrill shrilli35 pipe20 shriek20
shrilli shrill35
shrink shrinkag35 specialist20
shrinkag shrink35
shrug gestur20 motion20
shudder shudderi35 fear20 shiver20
shudderi shudder35
shuffl shuffler35
shuffler shuffl35
shunt shunter35 passag20
shunter shunt35
shut shutter35 close20
shutdown conclus20
shutter shut35
sicili sicilian35
sicilian sicili35
sick ill20 peopl20
side part20 region20
sidewalk walk20
sign signatur35 signer35 signifi35 clue20 ratifi20
signal communic20 indic20
signatur sign35
signer sign35
signifi sign35 signific35
signific import40 signifi35 implic20 substanti20
silenc silent35 condit20 status20 still20
silent silenc35 still20
silhouett outlin20
silk silki35 cloth20 fabric20 materi20 textil20
silki silk35
silli child20 kid20 minor20
silver silveri35 conductor20
silveri silver35
similar likewis20
similitud similar20
simmer temperatur20
simpl simpli35 simplic35
simpli simpl35 mere20
simplic simpl35 qualiti20
simul copi20 imit20
sin sinner35
sing singer35
singer sing35
singl individu20 safeti20
singular curious20 form20 funni20 peculiar20 queer20 remark20
sink sinker35
sinker sink35
sinner sin35
sip sipper35 drink20 swallow20
sipper sip35
sir man20
sister sisterhood35
sisterhood sister35
sit sitter35
site tract20
sitter sit35
situat state20
six figur20
sixth rank20
sixti decad20
size magnitud20
skelet skeleton35
skeleton skelet35
sketch sketcher35 sketchi35 draw20 outlin20
sketcher sketch35
sketchi sketch35
skill abil20 power20 scienc20
skin skinner35 skinni35
skinner skin35
skinni skin35
skip skipper35
skipper skip35
skirmish fighter20
skull bone20
sky atmospher20
slack slacker35 debri20 dust20
slacken slow20
slacker slack35
slam slammer35 bang20 triumph20 victori20
slammer slam35
slap slapper35 blow20
slapper slap35
slash slasher35 whip20 wound20
slasher slash35
slaughter kill20
slave slaveri35 individu20 mortal20 person20 someon20 soul20
slaveri slave35
sleep sleeper35 sleepi35
sleeper sleep35
sleepi sleep35 sleepili35
sleepili sleepi35
slice slicer35 part20 percentag20 portion20 share20 slit20
slicer slice35
slide slider35
slider slide35
slight somewhat20
slip slippag35 slippi35 steal20
slippag slip35
slippi slip35
slit open20 slice20
slop sloppi35
slope format20 inclin20
sloppi slop35
slot posit20
slow slowli55 slower35 slowest35 slacken20
slower slow35
slowest slow35
slowli slow55
slug sluggard35 slugger35 bullet20 missil20
sluggard slug35
slugger slug35
small littl20
smart hurt20 pain20
smash smasher35 bang20 blast20 blow20 boom20 dash20
smasher smash35
smell smelli35 odor20 sensat20
smelli smell35
smile smiler35 grin20
smiler smile35
smoke smoker35 smoki35 aerosol20
smoker smoke35
smoki smoke35
smooth smoother35 accomplish20 achiev20 polish20
smoother smooth35
smuggl smuggler35
smuggler smuggl35
snake snaki35 serpent20
snaki snake35
snap snapper35 snappi35 snarl20 tear20 touch20
snapper snap35
snappi snap35
snar snarl35
snarl snar35 snap20
snatch snatcher35 fragment20
snatcher snatch35
sneer sneerer35 contempt20 scorn20
sneerer sneer35
sniff sniffer35 smell20
sniffer sniff35
snort snorter35 snorti35 laugh20 laughter20
snorter snort35
snorti snort35
snow snowi35
snowi snow35
soak soakag35 soaker35 action20 activ20 hook20 rob20
soakag soak35
soaker soak35
soap soapi35
soapi soap35
soar rise20 surg20
sober grave20
social socialist35 societi35 ideolog20 parti20
socialist social35
societ societi35
societi social35 societ35 sociocultur35 club20
sociocultur societi35
sofa couch20 seat20
soft quiet20
soil soilur35 dirt20 dirti20
soilur soil35
solder metal20
soldier soldieri35 soldiership35
soldieri soldier35
soldiership soldier35
sole alon20 bottom20 entir20 exclus20
solid solidifi35 matter20
solidifi solid35
solo soloist35
soloist solo35 musician20 player20
solut answer20 mixtur20 result20
solv solvent35 solver35
solvent solv35
solver solv35
someon caus20 individu20 mortal20 organ20 person20 soul20
somewhat fair20 pretti20 reason20 slight20
somewher locat20
song songster35 composit20 piec20
songster song35
soon present20 short20
sorb sorbent35
sorbent sorb35
sore infect20 pain20 tender20
sorrow regret20
sort sorter35 categori20 form20 kind20
sorter sort35
soul individu20 mortal20 person20 someon20 spirit20
sound sounder35
sounder sound35
sourc origin20 point20 root20
southern american20
southpaw pitcher20
sovereign independ20 ruler20 suprem20
soviet council20
sow sower35
sower sow35
space spacial35 spacious35 attribut20
spacial space35
spacious space35
span durat20 travers20
spanish romanc20
spare sparer35 compon20 constitu20 element20 excess20 surplus20
sparer spare35
spark activ20 flash20 glint20 trigger20
speak speaker35 mouth20 talk20
speaker speak35 speakership35
speakership speaker35
speci specif35
special specialist35 especi20 offer20 particular20 peculiar20
specialis specialist35
specialist special35 specialis35 expert20
specif speci35 specifi35 fact20
specifi specif35
specimen exampl20 illustr20 instanc20 repres20
spectacl spectacular35 sight20
spectacular spectacl35 dramat20 perform20 strike20
spectat observ20 wit20
specter ghost20 shadow20
spectral spectrum35
spectrum spectral35 array20
specul guess20 opinion20 view20
speech speechifi35 languag20
speechifi speech35
speed speeder35 speedi35 acceler20 hasten20 race20 rate20
speeder speed35
speedi speed35 speedili35
speedili speedi35
spell speller35 tour20 tranc20
speller spell35
spend spender35 expend20
spender spend35
sphere spheric35 domain20 environ20 orbit20
spheric sphere35
spi spot20
spin spinner35 reel20 revolut20
spinner spin35
spiral curv20
spirit spiritu35 feel20 flavor20
spiritu spirit35 religi20
spit spitter35
spitter spit35
splash splashi35 nois20 sprinkl20
splashi splash35
splinter splinteri35 bit20 seced20
splinteri splinter35
split splitter35 divid20
splitter split35
spong spongi35
spongi spong35
sponsor sponsorship35
sponsorship sponsor35
sport sportiv35 boast20 divers20 featur20 recreat20
sportiv sport35
sportsman sportsmanship35 athlet20
sportsmanship sportsman35
spot spotter35 place20 point20 spi20
spotter spot35
sprawl sprawler35 sprawli35
sprawler sprawl35
sprawli sprawl35
spray sprayer35
sprayer spray35
spread spreader35 distribut20 gap20 travel20
spreader spread35
spring bound20 jump20 leap20 season20
sprinkl sprinkler35 shower20 splash20
sprinkler sprinkl35
spur encourag20
squad team20
squat squatter35 crouch20
squatter squat35
squeak squeaki35
squeaki squeak35
squeez squeezer35 crush20
squeezer squeez35
stabil stabl35
stabl stabil35 stabli35
stabli stabl35
staff forc20 personnel20
stage stager35 stagey35 stagi35 degre20 period20 phase20
stager stage35
stagey stage35
stagger flounder20 lurch20 reel20
stagi stage35
stain stainer35 appear20
stainer stain35
stair step20
stake part20 percentag20 portion20 share20
stalk stalker35 haunt20
stalker stalk35
stall compart20
stamp stamper35 mold20 solid20
stamper stamp35
stanc stand35
stand stanc35 standard35 stande35 stander35 posit20 status20
standard stand35 standardis35 criterion20
standardis standard35
stande stand35
stander stand35
standpoint posit20 postur20 viewpoint20
star stardom35 starri35 lead20 sensat20
stardom star35
stare starer35 gaze20 look20
starer stare35
starri star35
start begin40 starter35 commenc20 play20 turn20
starter start35
startl reflex20
starv starvat35
starvat starv35
state statement35 provinc20 say20 submit20
statement state35 argument20 content20 messag20 substanc20
statesman statesmanship35
statesmanship statesman35
station facil20 instal20
statist datum20
statu statuari35 statuett35 sculptur20
statuari statu35
statuett statu35
statur regard20 respect20
status condit20 state20
statut statutori35 act20
statutori statut35
stay stayer35 act20 remain20 stick20
stayer stay35
steadi steadili35 brace20 calm20 lover20
steadili steadi35
steal stealer35 purchas20 slip20
stealer steal35
steel steeli35 metal20 sword20
steeli steel35
steep steeper35 steepli35 declin20 descent20 engulf20 fall20
steeper steep35
steepl tower20
steepli steep35
steer steerag35 steerer35 counsel20 direct20 guid20 guidanc20
steerag steer35
steerer steer35
stem stemmer35 form20
stemmer stem35
step maneuv20 measur20 pace20 stair20 stride20 tread20
stereotyp represent20
stern back20 grim20 rear20
stick sticker35 deposit20 implement20 lodg20 stay20
sticker stick35
sticki stickili35
stickili sticki35
stiff stiffli35 man20
stiffli stiff35 bolt20
still quiet40 silenc40 calm20 exposur20 howev20 motionless20
stimul stimulus55 caus20 excit20 induc20
stimulus stimul55 inform20
sting stinger35 stingless35 bite20 pain20
stinger sting35
stingless sting35
stir stirrer35 commot20 disturb20
stirrer stir35
stock stocker35 stockist35 capit20 inventori20
stocker stock35
stockist stock35
stoic stoical35 stoicism35 philosoph20
stoical stoic35 stoicism35
stoicism stoic35 stoical35
stomach belli20
stone stoner35 stoni35 rock20
stoner stone35
stoni stone35
stoop stooper35 crouch20
stooper stoop35
stop stoppag35 stopper35 ceas20 conclus20 discontinu20 finish20
stoppag stop35
stopper stop35
storag store35 retent20
store storag35 fund20 shop20
stori content20 messag20 narrat20 substanc20 tale20
storm stormi35 rage20
stormi storm35
straddl perspect20 posit20 view20
straggl straggler35
straggler straggl35
straight direct20 individu20 mortal20 person20 someon20 soul20
strain strainer35 strive20
strainer strain35
strand form20 pattern20 shape20
strang unusu20
strangl strangul35
strangul strangl35
strateg strategi35
strategi strateg35 strategist35 scheme20
strategist strategi35
stratifi stratum35
stratum stratifi35
stravinski stravinskian35 stravinskyan35
stravinskian stravinski35
stravinskyan stravinski35
stray strayer35 drift20 isol20 rang20 roam20 wander20
strayer stray35
streak streaker35 streaki35 success20
streaker streak35
streaki streak35
stream streamlet35 water20
streamlet stream35
strength properti20
stress stressor35 emphas20 tension20
stressor stress35
stretch stretcher35 stretchi35
stretcher stretch35
stretchi stretch35
strict pure20
stride step40 strider35 pace20 tread20
strider stride35
strike striker35 striking35 dramat20 impress20 occurr20 spectacular20
striker strike35
striking strike35
string stringer35 cord20
stringer string35
strip stripper35 depriv20 part20 piec20
stripper strip35
strive endeavor20 strain20
stroke maneuv20 play20
struggl struggler35 attempt20 battl20 conflict20 effort20 endeavor20
struggler struggl35
student studentship35 studi35 pupil20 scholar20
studentship student35
studi examin40 student35 studious35 analyz20 scrutini20 survey20
studio work20
studious studi35
stuf stuff35
stuff stuf35 stuffer35 materi20 substanc20 thrust20
stuffer stuff35
stumbl stumbler35 trip20
stumbler stumbl35
stump stumper35
stumper stump35
stupid daze20 inabl20 simpl20
sturdi sturdili35
sturdili sturdi35
style styler35 stylist35 styliz35 fashion20 manner20 mode20
styler style35
stylist style35
styliz style35
subdivid subdivis35
subdivis subdivid35 tract20
subdu subdued35
subdued subdu35
subject content20 messag20 substanc20 theme20 topic20
submiss submit35 content20 messag20 substanc20
submit submiss35 submitt35 state20
submitt submit35
subordin assist20
subscrib subscript35
subscript subscrib35
subsect section20
subsid subsidi35
subsidi subsid35
substanc substanti35 compon20 constitu20 matter20 part20 portion20
substanti substanc35 consider20 signific20
substitut equival20
subt subtl35
subtl subt35
subtract deduct20
suburb suburban35 communiti20
suburban suburb35 suburbia35
suburbia suburban35
succeed success35 successor35
success succeed35 occurr20 sequenc20
successor succeed35 equal20 match20 peer20
suck sucker35 intak20 uptak20
sucker suck35
sudden abrupt20 short20
sue suer35
suer sue35
suffer agoni20 miser20 pain20 sustain20
suffic suffici35
suffici suffic35
suggest hint20 idea20 propos20 proposit20 thought20
suit accommod20 composit20 fit20 piec20
suitcas luggag20
sulki sulkili35
sulkili sulki35
sum summat35 amount20 total20
summar summari35
summari summar35 summarili35 summaris35 statement20
summarili summari35
summaris summari35
summat sum35
summer summeri35 season20
summeri summer35
sun sunlight20
sundown hour20
sunlight light20 sun20
sup supper35
super crack20 extrem20
superb superbl35 brilliant20
superbl superb35
superior leader20 qualiti20
supernatur caus20
superstit superstiti35 belief20
superstiti superstit35
supervis supervisor35 supervisori35 direct20 manag20
supervisor supervis35
supervisori supervis35
supper sup35 meal20
supplement supplementari35 matter20
supplementari supplement35
suppli supplier35 furnish20 issu20 provid20 render20
supplier suppli35
support activ20
suppos supposit35 guess20 imagin20 reckon20 think20
supposit suppos35
suppress suppressor35 conquer20 crush20
suppressor suppress35
suprem sovereign20
sure certain20
surfac surfici35
surfici surfac35
surg flow20 rush20 soar20
surgeon doctor20 physician20
surplus excess20 spare20
surpris surprising35 amaz20 astonish20
surprising surpris35
surrend surrender35 despair20
surrender surrend35
surround environ40 border20
survey surveyor35 examin20 resum20 scrutini20 studi20
surveyor survey35
surviv survivor35 last20 life20 live20
survivor surviv35 unfortun20
suspect suspicion35 individu20 mortal20 person20 someon20 soul20
suspend suspens35
suspens suspend35 mixtur20
suspici suspicion35
suspicion suspect35 suspici35 belief20 feel20 hunch20 impress20
sustain susten35 suffer20
susten sustain35
swallow tast20
swamp swampi35 flood20
swampi swamp35
swarm crowd20 pour20
sway power20 rock20 swing20
swear swearer35 affirm20 assert20 curs20
swearer swear35
sweat sweater35 perspir20
sweater sweat35
sweden swedish35
swedish sweden35
sweep sweeper35 compass20 orbit20 rang20 reach20 sail20
sweeper sweep35
sweetheart lover20
swell wave20
swerv curv20 sheer20 turn20 veer20
swift swiftlet35
swiftlet swift35
swim swimmer35 float20
swimmer swim35
swing swinger35 swingi35 action20 activ20 sway20
swinger swing35
swingi swing35
swirl purl20 whirl20
swiss countri20 land20 nation20
switch switcher35 control20
switcher switch35
sword arm20 steel20 weapon20
syllab syllabl35
syllabifi syllabl35
syllabl syllab35 syllabifi35
symbol symbolis35 repres20 sign20 signal20
symbolis symbol35
symmetr symmetri35
symmetri symmetr35 symmetris35
symmetris symmetri35
sympath sympathi35
sympathet sympathi35
sympathi sympath35 sympathet35 sympathis35 tendenc20
sympathis sympathi35
symphon symphoni35
symphoni symphon35
symptom symptomat35 evid20 ground20
symptomat symptom35
synthesi synthesis35 synthesist35 synthet35
synthesis synthesi35
synthesist synthesi35
synthet synthesi35 compound20
system systemat35 systemis35
systemat system35
systemis system35
tabl array20
tag label40 mark20
tail process20
take taker35 incom20
taker take35
tale content20 messag20 narrat20 stori20 substanc20
talent gift20
talk talkat35 talker35 talki35 convers20 mouth20 speak20
talkat talk35
talker talk35
talki talk35
tall size20
tangenc tangent35
tangent tangenc35 tangenti35
tangenti tangent35
tank tankag35
tankag tank35
tap tapper35 tapster35 sound20
tape slip20 strip20
tapper tap35
tapster tap35
target prey20 refer20
task chore20 job20 project20 work20
tast taster35 tasti35 savor20 sensat20
taster tast35
tasti tast35
taunt irrit20
taut tight20
tax taxabl35 taxat35 taxer35
taxabl tax35
taxat tax35
taxer tax35
taxi automobil20 car20 machin20
tea drink20
teach teachabl35 teacher35 educ20 instruct20
teachabl teach35
teacher teach35 teachership35 educ20 instructor20
teachership teacher35
team teamster35 squad20 unit20
teamster team35 driver20
tear activ20 drop20 rent20 snap20
technic techniqu35 technolog35
technician techniqu35
techniqu technic35 technician35 method20
technolog technic35 technologist35 applic20 engin20
technologist technolog35
telegraph telegraphi35 telegraphist35 apparatus20 cabl20 oper20 wire20
telegraphi telegraph35
telegraphist telegraph35
telephon phone20
temper irrit20 mood20
templ tempor35
tempor templ35
temporari temporarili35 worker20
temporarili temporari35
tempt temptabl35 temptat35 tempter35 lure20
temptabl tempt35
temptat tempt35 influenc20
tempter tempt35
tenanc tenant35
tenant tenanc35
tend tendenc35 tender35 inclin20
tendenc tend35 tendenci35 tendenti35 attitud20
tendenci tendenc35
tendenti tendenc35
tender tend35 sore20
tens tension35
tensil tension35
tension tens35 tensil35 strain20 stress20
tent shelter20
term termin35 word20
termin term35 terminus35 ceas20 end20
terminus termin35
terribl aw20 dread20 frighten20 unspeak20
terrif fantast20 marvel20 tremend20 wonder20
terrifi terror35
territori district20 region20
terror terrifi35 terroris35 terrorist35 fear20 panic20
terroris terror35
terrorist terror35
test teste35 tester35 experi20 experiment20 screen20 trial20
teste test35
tester test35
testifi testimoni35 evid20
testimoni testifi35 evid20
texa texan35
texan texa35
text textual35 matter20
textil cloth20 fabric20
textual text35
textur feel20
thaw melt20
theater theatric35 build20 theatr20
theatr build20 theater20
theatric theater35
themat theme35
theme themat35 content20 messag20 subject20 substanc20 topic20
theolog theologist35 disciplin20 field20 studi20 subject20
theologian scholar20 student20
theologist theolog35
theorem proposit20
theoret theori35
theoretician theori35
theori theoret35 theoretician35 theoris35 theorist35 theoriz35 explan20
theoris theori35
theorist theori35
theoriz theori35
therapeut therapi35 medicin20
therapi therapeut35 therapist35
therapist therapi35 expert20
therefor henc20 thus20
thermal wind20
thermocoupl thermomet20
thermomet thermometr35
thermometr thermomet35
thick insid20 interior20
thicket brush20
thief crimin20
thigh limb20
thin thinner35 lean20
thing properti20 situat20
think thinker35 believ20 conceiv20 guess20 imagin20 reckon20
thinker think35
thinner thin35
thorough good20
thought content20 idea20 think20
thread threader35 threadi35 cord20 wind20
threader thread35
threadi thread35
threat danger20 menac20
threaten endang20 menac20
three figur20
threshold begin20 first20 offset20 start20
thrill thriller35 chill20 excit20 kick20 quiver20
thriller thrill35
throat throati35
throati throat35
throttl throttler35 confin20 limit20
throttler throttl35
throw thrower35
thrower throw35
thrust thruster35 forc20 push20 stuff20
thruster thrust35
thumb finger20
thump sound20
thunder thunderi35 boom20 nois20 roar20
thunderi thunder35
thus henc20 therefor20
thwart thwarter35 foil20 frustrat20
thwarter thwart35
tick ticker35 click20 sound20
ticker tick35
tie tier35
tier tie35
tight close20 fast20 taut20
tilt tilter35 battl20 lean20 struggl20
tilter tilt35
timber lumber20
time timeli35 timer35 case20 clip20 clock20 exampl20
timeli time35
timer time35
tin tinni35 metal20
tinni tin35
tip tipper35 tipster35 end20
tipper tip35
tipster tip35
tire tired35 ring20 weari20
tired tire35
titer concentr20
titl entitl20 head20
toast toaster35
toaster toast35
today now20 present20
toilet pot20 room20
toler endur20
tomb grave20 place20 spot20
tomorrow day20
tone toner35 speech20
toner tone35
tongu organ20
tonight present20
tool implement20 instrument20
tooth toothi35 bone20
toothi tooth35
top topper35 exceed20 part20 region20
topic content20 matter20 messag20 subject20 substanc20 theme20
topper top35
torment tormentor35
tormentor torment35
tortur anguish20 distress20 hurt20 suffer20
toss tosser35 flip20 pitch20 throw20
tosser toss35
total whole40 altogeth20 amount20 complet20 entir20 full20
touch toucher35 contact20 strike20
toucher touch35
tough fighter20
tour tourer35 tourist35 circuit20 journey20 spell20
tourer tour35
tourist tour35
tournament competit20 contest20
tow tower35
tower tow35 construct20 loom20 structur20
town township35
township town35
trace tracer35 draw20
tracer trace35
track tracker35 line20
tracker track35
trade trader35 commerc20 merchandis20
trader trade35 dealer20 merchant20
tradit traditionalist35 content20 custom20
traditionalist tradit35 conserv20
traffic traffick35 collect20
traffick traffic35
tragedi tragic35 disast20 misfortun20
tragic tragedi35
trail trailer35 chase20 cours20 dog20 path20 track20
trailer trail35
train traine35 trainer35 activ20 educ20
traine train35
trainer train35
tramp tramper35
tramper tramp35
trampl trampler35 sound20 tread20
trampler trampl35
tranc spell20
transfer transferor35 transferr35 movement20 transport20
transferor transfer35
transferr transfer35
transit convers20 passag20
transmiss transmit35
transmit transmiss35 transmitt35 channel20
transmitt transmit35
transport carri20 facil20 instal20 transfer20
trap trapper35 devic20
trapper trap35
travel move40 journey20 motion20 movement20
travers beam20 cross20 span20
tread step40 stride20 trampl20
treasur prize20 valu20 wealth20
treasuri fund20
treat treater35 treatment35 handl20 process20
treater treat35
treatment treat35 aid20 attent20 care20
tree treelet35
treelet tree35
treetop top20
trembl motion20
tremend enorm20 fantast20 marvel20 terrif20 wonder20
trend trendi35 direct20 way20
trendi trend35
trial attempt20 effort20 endeavor20 run20 test20
tribut approv20
trick tricker35 trickeri35 tricki35 tricksi35 trickster35 devic20
tricker trick35
trickeri trick35
tricki trick35
tricksi trick35
trickster trick35
trigger activ20 spark20
trim trimmer35 spare20
trimmer trim35
trip tripper35 journey20 stumbl20
tripl triplic35 safeti20
triplic tripl35
tripper trip35
triumph triumphal35 triumphant35 conclus20 finish20 success20 victori20
triumphal triumph35
triumphant triumph35
troop forc20 personnel20
trooper soldier20
trot trotter35 travel20
trotter trot35
troubl troublous35 difficulti20 disturb20
troublous troubl35
trough depress20
truck truckag35 trucker35
truckag truck35
trucker truck35
trudg trudger35 plod20 tramp20
trudger trudg35
true trueness35
trueness true35
truli realli20
trunk stalk20 stem20
trust truste35 truster35 trusti35 properti20
truste trust35
truster trust35
trusti trust35
truth fact20
tsh hormon20
tsunami disast20 tragedi20 wave20
tub vessel20
tuck tucker35
tucker tuck35
tug tugger35 pull20
tugger tug35
tumbl tumbler35
tumbler tumbl35
tumor growth20
tune tuner35 melodi20 music20
tuner tune35
turmoil commot20 disturb20
turn turner35 turneri35 bend20 curv20
turner turn35
turneri turn35
twelv dozen20
twentieth rank20
twine twiner35 cord20
twiner twine35
twirl twirler35
twirler twirl35
twist twister35 develop20 writh20
twister twist35
twitch jerk20
two figur20
type form20 kind20 sort20 varieti20
typic distinct20
ultim final20 qualiti20
ultrason ultrasound35
ultrasound ultrason35
uncertainti doubt20 qualiti20
unconsci brain20 head20 mind20
underlin emphas20 stroke20
understand agreement20 apprehens20 intellig20 realiz20 see20
undertak attempt20
undoubt doubtless20
uneasi uneasili35
uneasili uneasi35
unexpect unexpected35
unexpected unexpect35
unfold blossom20
unfortun individu20 mortal20 person20 someon20 soul20
unhappi unhappili35
unhappili unhappi35
unif unifi35
unifi unif35 merg20 mingl20 unit20
uniform cloth20 wear20
union north20 organ20
unit unitari35 merg20 unifi20
unitari unit35 uniti35
uniti unitari35 ace20 one20 state20
univers bodi20 exist20 rule20 world20
unknown region20
unlik unlikeli35
unlikeli unlik35
unnecessari unnecessarili35
unnecessarili unnecessari35
unsatisfactori unsatisfactorili35
unsatisfactorili unsatisfactori35
unspeak aw20 dread20 terribl20
unusu strang20
uphold preserv20
upper bunk20
uproar uproari35 commot20 disturb20
uproari uproar35
upset upsett35 disturb20 worri20
upsett upset35
upstair part20 portion20
uptak activ20 intak20
urg urgenc35 urgent35 advoc20 impuls20 motiv20 press20
urgenc urg35 urgent35
urgent urg35 urgenc35
usag activ20 custom20 exercis20
use qualiti20 util20
usual common20 normal20 ordinarili20
util utilis35 utilitarian35 utiliz35 appli20 employ20 servic20
utilis util35
utilitarian util35
utiliz util35
utmost bound20 boundari20 extrem20 limit20 maximum20
utopia utopian35
utopian utopia35
utter absolut20 express20 perfect20 pure20
vacanc vacant35
vacant vacanc35 vacat35
vacat vacant35 vacation35 vacationist35 holiday20 leisur20
vacation vacat35
vacationist vacat35
vagu obscur20
valley depress20
valor courag20
valu valuabl35 valuat35 valuer35 belief20 prize20 treasur20
valuabl valu35 treasur20
valuat valu35
valuer valu35
vanish disappear20
vapor vaporis35 suspens20
vaporis vapor35
vari varied35 alter20 depart20 variabl20
variabl varianc35 thing20 vari20
varianc variabl35
variat alter20 chang20
varied vari35
varieti collect20
various sever20
vast huge20 immens20
vector variabl20
veer curv20 sheer20 swerv20
veget produc20
vehicl vehicular35 transport20
vehicular vehicl35
vein veinal35
veinal vein35
veloc rate20 speed20
velvet velveti35
velveti velvet35
vent venter35 ventil35 hole20
venter vent35
ventil vent35
ventur guess20 hazard20 labor20 project20 task20
verb verbal35 verbifi35
verbal verb35
verbifi verb35
verif verifi35
verifi verif35 verificatori35
verificatori verifi35
vers versifi35 poetri20
versifi vers35
version interpret20
vertex intersect20
vessel tube20
vest vestment35 vestur35
vestment vest35
vestur vest35
veteran man20
vicious evil20 savag20
victim victimis35 unfortun20
victimis victim35
victori conclus20 finish20 success20 triumph20
view viewabl35 viewer35 consid20 perspect20 regard20
viewabl view35
viewer view35
viewpoint posit20 postur20 standpoint20
villag communiti20 settlement20
violabl violat35
violat violabl35 crime20
violenc violent35
violent violenc35
violin violinist35
violinist violin35
virgin innoc20
virtu virtuous35 good20 merit20
virtual almost20 near20
virtuous virtu35
viscos viscous35 bodi20 substanc20
viscous viscos35
vision visionari35 imagin20
visionari vision35
visit visitor35 congress20 meet20
visitor visit35
vital energi20
voic voicer35 sound20
voicer voic35
volley burst20 fire20
voltag voltaic35
voltaic voltag35
voltair voltarean35 voltarian35
voltarean voltair35
voltarian voltair35
volum volumin35 amount20 bulk20 measur20 quantiti20
volumin volum35
volunt voluntari35 man20
voluntari volunt35
vote voter35 choic20 pick20 select20
voter vote35 citizen20
wage earn20 pay20 salari20
wail wailer35 complaint20 howl20
wailer wail35
wait waiter35 break20 delay20 interrupt20 paus20 suspens20
waiter wait35
wake waker35 arous20 awak20 awaken20 consequ20 effect20
waker wake35
walk walker35 pass20 travel20
walker walk35
wallop consequ20 effect20 event20 issu20 outcom20 result20
wander rang20 roam20 stray20
war warrior35 action20 warfar20
ward warder35 individu20 mortal20 person20 someon20 soul20
warder ward35
wareh warehous35
warehous wareh35 storag20 store20
warfar action20 war20
warm warmer35
warmer warm35
warmth temperatur20
warn warner35
warner warn35
warrant warrante35 warrantor35
warrante warrant35
warrantor warrant35
warrior war35
wash washabl35 washer35 work20
washabl wash35
washer wash35
washington washingtonian35
washingtonian washington35
wast wastag35 waster35 materi20 stuff20
wastag wast35
waster wast35
watch watcher35
watcher watch35
water wateri35 liquid20
watercolor watercolorist35 paint20 pictur20
watercolorist watercolor35
wateri water35
wave wavelet35 waver35 beckon20 motion20 movement20
wavelength distanc20
wavelet wave35
waver wave35 falter20 hesit20
wax waxen35 waxi35 mount20
waxen wax35
waxi wax35
way fashion20 manner20 mean20 mode20 properti20 style20
wealth wealthi35
wealthi wealth35
weapon instrument20
wear wearabl35 wearer35
wearabl wear35
wearer wear35
weari wearili35 tire20
wearili weari35
weav weaver35 design20 figur20 pattern20
weaver weav35
week period20
weekend period20
weep weeper35 cri20
weeper weep35
weigh weigher35
weigher weigh35
weight weighti35
weighti weight35
welcom accept20
well good20
west wester35
wester west35
western featur20
wet wetter35 moistur20
wetter wet35
wheel wheeler35 machin20
wheeler wheel35
while time20
whip whiplik35 whipper35 instrument20 slash20
whiplik whip35
whipper whip35
whirl whirler35 motion20 movement20 swirl20
whirler whirl35
whiskey liquor20 whiski20
whiski liquor20 whiskey20
whistl whistler35 sound20
whistler whistl35
white individu20 mortal20 person20 someon20 soul20
whole wholli55 altogeth20 complet20 concept20 construct20 entir20
wholli whole55 altogeth20 complet20 entir20 total20
wick wicked35
wicked wick35
wide broad20 extens20
widow widowhood35
widowhood widow35
wield exert20
wife mate20 partner20 woman20
wigg wiggl35
wiggl wigg35 wiggler35 motion20 move20 movement20
wiggler wiggl35
wild wilder35 state20
wilder wild35
will willing35 choic20 pick20 select20
willing will35
willow tree20
win winner35 gain20 triumph20 victori20
wind winder35 windi35 curv20 thread20 weather20
winder wind35
windi wind35
window frame20
wine wineri35 winey35
wineri wine35
winey wine35
wing fli20 organ20
wink winker35 bit20 flash20 instant20 minut20 moment20
winker wink35
winner win35
winter winteri35 wintri35 season20
winteri winter35
wintri winter35
wipe wiper35 contact20
wiper wipe35
wire wirer35 cabl20 telegraph20
wirer wire35
wisdom content20
wise fashion20 manner20 mode20 style20 way20
wish desir20
wit witness35 witti35 brain20 content20 humor20 messag20
witch witcheri35
witcheri witch35
withdraw retir20 retreat20
withhold deduct40
withstand defi20
witness wit35
witti wit35 wittili35
wittili witti35
wobbl wobbler35 motion20 movement20
wobbler wobbl35
woman womanhood35 womanis35 adult20 femal20
womanhood woman35
womanis woman35
wonder fantast20 marvel20 terrif20 tremend20
wood woodi35 woodsi35 forest20
woodi wood35
woodsi wood35
wool woolen35 woolli35
woolen wool35
woolli wool35
word languag20 lyric20 phrase20 speech20
work workabl35 worker35 activ20 complex20 plant20
workabl work35
worker work35 individu20 mortal20 person20 someon20 soul20
workout effort20 exercis20 exert20 sweat20
workshop shop20 work20
world exist20 univers20
worm wormi35
wormi worm35
worri worrier35 worriment35 headach20 upset20
worrier worri35
worriment worri35
wors bad20
worship worshipp35 activ20
worshipp worship35
worst outcom20 result20
worth worthi35
worthi worth35 worthili35
worthili worthi35
wound hurt40 harm20 injur20 injuri20 peopl20
wrangl wrangler35 conflict20 differ20 disput20 quarrel20 row20
wrangler wrangl35
wrap wrapper35
wrapper wrap35
wrath furi20 rage20
wreck wreckag35 wrecker35 declin20
wreckag wreck35
wrecker wreck35
wrench harm20 hurt20 injuri20
wretch wretched35
wretched wretch35
wrinkl wrinkleproof35 depress20 impress20
wrinkleproof wrinkl35
write writer35 pen20
writer write35 author20
writh twist20
yank yanker35 american20 jerk20 yanke20
yanke american20 yank20
yanker yank35
yard ground20
year period20
yearn desir20
yell yeller35 cri20 holler20 scream20 shout20
yeller yell35
yesterday day20
yield yielder35 afford20 output20 product20
yielder yield35
young anim20 beast20 creatur20
zero noth20
zinc metal20
`;
