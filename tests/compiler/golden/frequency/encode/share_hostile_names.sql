/* kanon: frequency set */
CREATE TABLE "kanon_share_entries_re""gion" AS
WITH tuples AS (
  SELECT
    s."a""b" AS qi_0,
    s."select" AS qi_1,
    s."größe" AS qi_2,
    s."Marital Status" AS qi_3,
    s."t""; drop table patients; --" AS qi_4,
    s."re""gion" AS sensitive_0,
    COUNT(*) AS n
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
  GROUP BY
    s."a""b",
    s."select",
    s."größe",
    s."Marital Status",
    s."t""; drop table patients; --",
    s."re""gion"
), encoded AS (
  SELECT
    c0.code_0 + c1.code_0 + c2.code_0 + c3.code_0 + c4.code_0 AS key_0,
    d0.value AS value_0,
    s.n
  FROM tuples AS s
  JOIN "kanon_codes_a""b" AS c0
    ON s."qi_0" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_select" AS c1
    ON s."qi_1" IS NOT DISTINCT FROM c1.ground
  JOIN "kanon_codes_größe" AS c2
    ON s."qi_2" IS NOT DISTINCT FROM c2.ground
  JOIN "kanon_codes_Marital Status" AS c3
    ON s."qi_3" IS NOT DISTINCT FROM c3.ground
  JOIN "kanon_codes_t""; drop table patients; --" AS c4
    ON s."qi_4" IS NOT DISTINCT FROM c4.ground
  LEFT JOIN "kanon_share_values_re""gion" AS d0
    ON s."sensitive_0" IS NOT DISTINCT FROM d0.ground
)
SELECT
  key_0,
  value_0,
  CAST(SUM(n) AS BIGINT) AS n
FROM encoded
GROUP BY
  key_0,
  value_0
