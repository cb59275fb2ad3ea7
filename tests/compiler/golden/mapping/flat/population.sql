/* kanon: mapping table of zip */
CREATE TABLE "kanon_map_zip" AS
SELECT
  s."zip" AS level_0,
  '*' AS level_1
FROM "warehouse"."main"."patients" AS s
UNION
SELECT
  s."zip" AS level_0,
  '*' AS level_1
FROM (
  SELECT
    *
  FROM "warehouse"."main"."census"
  WHERE
    admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
) AS s
