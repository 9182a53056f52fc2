/** Words that do not describe a tool: function words of English and phrases of polite requests. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the and or but if then than so as at by for from in into of off on onto out over to up with within without about after before
  between during per via
  i me my mine we us our ours you your yours he him his she her hers it its they them their theirs this that these those there here
  is am are was were be been being do does did doing done have has had having can could shall should will would may might must
  what which who whom whose when where why how
  please help need needs want wants wanted like know tell let lets thanks thank hi hello hey kindly wondering wonder able also just
  some any all each both no not nor only own same too very don ll ve re
  im ive id etc eg ie using use used given give get got make sure assist assistance possible looking interested trying try
  planning`
    .trim()
    .split(/\s+/),
);
