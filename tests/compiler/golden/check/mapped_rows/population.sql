/* kanon: mapped rows */
SELECT
  COUNT(*) AS row_count
FROM "warehouse"."main"."census" AS s
JOIN "kanon_map_age" AS m0
  ON s."age" IS NOT DISTINCT FROM m0."level_0"
JOIN "kanon_map_zip" AS m1
  ON s."zip" IS NOT DISTINCT FROM m1."level_0"
