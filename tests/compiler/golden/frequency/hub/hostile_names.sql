/* kanon: roll up */
CREATE TABLE "hu""b" AS
SELECT
  f.key_0 & CAST(0 AS BIGINT) AS key_0,
  f.person,
  CAST(SUM(f.n) AS BIGINT) AS n
FROM "fre""quency" AS f
GROUP BY
  f.key_0 & CAST(0 AS BIGINT),
  f.person
