/* kanon: frequency set */
CREATE TABLE "st""rays" AS
WITH encoded AS (
  SELECT
    c0.code_0 + c1.code_0 + c2.code_0 + c3.code_0 + c4.code_0 AS key_0
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  JOIN "kanon_codes_a""b" AS c0
    ON s."a""b" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_select" AS c1
    ON s."select" IS NOT DISTINCT FROM c1.ground
  JOIN "kanon_codes_größe" AS c2
    ON s."größe" IS NOT DISTINCT FROM c2.ground
  JOIN "kanon_codes_Marital Status" AS c3
    ON s."Marital Status" IS NOT DISTINCT FROM c3.ground
  JOIN "kanon_codes_t""; drop table patients; --" AS c4
    ON s."t""; drop table patients; --" IS NOT DISTINCT FROM c4.ground
  JOIN "kanon_map_a""b" AS g
    ON s."a""b" IS NOT DISTINCT FROM g.ground
  WHERE
    NOT g.ground IS NULL AND g.level_0 IS DISTINCT FROM CAST(g.ground AS TEXT)
)
SELECT
  key_0,
  COUNT(*) AS n
FROM encoded
GROUP BY
  key_0
