import { eventsOf, type Format, jsonOf, PAGE, QUERY, REASONING, SIGNATURE } from './answer.js';

/** Google's generateContent. The search is grounding; its call and result are parts of their own. */
export const google: Format = ({ reasoning, search, text, calls = [] }, streaming) => {
  const parts = [
    ...(reasoning ? [{ text: REASONING, thought: true, thoughtSignature: SIGNATURE }] : []),
    ...(search
      ? [
          { toolCall: { toolType: 'GOOGLE_SEARCH_WEB', args: { queries: [QUERY] }, id: 'gs_1' } },
          { toolResponse: { toolType: 'GOOGLE_SEARCH_WEB', response: { found: 1 }, id: 'gs_1' } },
        ]
      : []),
    ...(text === undefined ? [] : [{ text }]),
    ...calls.map(({ id, name, args }, index) => ({
      functionCall: { id, name, args },
      ...(reasoning && index === 0 && { thoughtSignature: SIGNATURE }),
    })),
  ];
  const groundingMetadata = {
    webSearchQueries: [QUERY],
    groundingChunks: [{ web: { uri: PAGE.url, title: PAGE.title } }],
  };
  const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', ...(search && { groundingMetadata }) };
  const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 };
  const body = { candidates: [candidate], usageMetadata };
  return streaming ? eventsOf([body]) : jsonOf(body);
};
