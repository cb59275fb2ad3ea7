/* kanon: frequency set */
CREATE TABLE "kanon_strays" AS
WITH tuples AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    COUNT(*) AS n
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."age",
    s."zip"
), encoded AS (
  SELECT
    c0.code_0 AS key_0,
    c0.code_1 + c1.code_1 AS key_1,
    s.n
  FROM tuples AS s
  JOIN "kanon_codes_age" AS c0
    ON s."qi_0" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."qi_1" IS NOT DISTINCT FROM c1.ground
  JOIN "kanon_map_age" AS g
    ON s."qi_0" IS NOT DISTINCT FROM g.ground
  WHERE
    NOT g.ground IS NULL AND g.level_0 IS DISTINCT FROM CAST(g.ground AS TEXT)
)
SELECT
  key_0,
  key_1,
  CAST(SUM(n) AS BIGINT) AS n
FROM encoded
GROUP BY
  key_0,
  key_1
