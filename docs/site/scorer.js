// Order of search results: guide and reference before theory, the notebook last; parameters of C functions last of all.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 4,
  objPrio: {0: 8, 1: 2, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: function (result) {
    var page = result[0], about = result[3] || "", score = result[4];
    if (page.indexOf("notebook/") === 0) score -= 20;
    if (page.indexOf("guide/") === 0) score += 8;
    if (page.indexOf("reference/scene") === 0) score += 6;
    if (page.indexOf("reference/c-api/") === 0 || page === "reference/python-api") score -= 6;
    if (about.indexOf("parameter") >= 0) score -= 40;
    return score;
  },
};
