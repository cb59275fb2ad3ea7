/* kanon: frequency set */
CREATE TABLE "kanon_strays" AS
WITH encoded AS (
  SELECT
    c0.code_0 + c1.code_0 AS key_0
  FROM (
    SELECT
      *
    FROM "warehouse"."main"."patients"
    WHERE
      admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
  ) AS s
  JOIN "kanon_codes_age" AS c0
    ON s."age" IS NOT DISTINCT FROM c0.ground
  JOIN "kanon_codes_zip" AS c1
    ON s."zip" IS NOT DISTINCT FROM c1.ground
  WHERE
    s."zip" IS NULL
)
SELECT
  key_0,
  COUNT(*) AS n
FROM encoded
GROUP BY
  key_0
