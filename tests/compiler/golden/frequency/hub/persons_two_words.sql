/* kanon: roll up */
CREATE TABLE "kanon_hub_0" AS
SELECT
  f.key_0 & CAST(12 AS BIGINT) AS key_0,
  f.key_1 & CAST(-1 AS BIGINT) AS key_1,
  f.person,
  CAST(SUM(f.n) AS BIGINT) AS n
FROM "kanon_frequency" AS f
GROUP BY
  f.key_0 & CAST(12 AS BIGINT),
  f.key_1 & CAST(-1 AS BIGINT),
  f.person
