/* kanon: mapping table of zip */
CREATE TEMPORARY TABLE "kanon_map_zip" AS
SELECT
  s."zip" AS level_0,
  '*' AS level_1
FROM "warehouse"."main"."patients" AS s
GROUP BY
  s."zip"
