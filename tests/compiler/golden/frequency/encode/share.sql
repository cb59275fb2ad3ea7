/* kanon: frequency set */
CREATE TABLE "kanon_share_entries_region" AS
WITH tuples AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    s."region" AS sensitive_0,
    COUNT(*) AS n
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients"
    WHERE
      admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  ) AS s
  GROUP BY
    s."age",
    s."zip",
    s."region"
), encoded AS (
  SELECT
    c0.code_0 + c1.code_0 AS key_0,
    d0.value AS value_0,
    s.n
  FROM tuples AS s
  JOIN "kanon_codes_age" AS c0
    ON s."qi_0" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."qi_1" IS NOT DISTINCT FROM c1.ground
  LEFT JOIN "kanon_share_values_region" AS d0
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
