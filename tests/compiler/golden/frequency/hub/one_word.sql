/* kanon: roll up */
CREATE TABLE "kanon_hub_0" AS
SELECT
  f.key_0 & CAST(12 AS BIGINT) AS key_0,
  CAST(SUM(f.n) AS BIGINT) AS n
FROM "kanon_frequency" AS f
GROUP BY
  f.key_0 & CAST(12 AS BIGINT)
