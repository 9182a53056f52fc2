/*
 * Both statements take the vector of the query, the ids to search or null, and the number of
 * results. Vectors of another length come from another embedding model: they are left out.
 */

/** Without an extension: the sum of the products. */
export function nearestExactly(table: string): string {
  return `
SELECT id, score FROM (
  SELECT id, (SELECT sum(a::double precision * b) FROM unnest(embedding, $1::real[]) AS pairs (a, b)) AS score
  FROM ${table}
  WHERE cardinality(embedding) = cardinality($1::real[]) AND ($2::text[] IS NULL OR id = ANY ($2::text[]))
) AS scored
ORDER BY score DESC, id LIMIT $3::bigint`;
}

/**
 * With pgvector, which is many times faster.
 *
 * @param schema the quoted schema of the extension
 */
export function nearestWithPgvector(table: string, schema: string): string {
  return `
SELECT id, -(embedding::${schema}.vector OPERATOR(${schema}.<#>) $1::real[]::${schema}.vector) AS score
FROM ${table}
WHERE cardinality(embedding) = cardinality($1::real[]) AND ($2::text[] IS NULL OR id = ANY ($2::text[]))
ORDER BY score DESC, id LIMIT $3::bigint`;
}
