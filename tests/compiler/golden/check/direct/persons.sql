/* kanon: check age=1, zip=2 */
WITH violating AS (
  SELECT
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_zip" AS m1
    ON s."zip" IS NOT DISTINCT FROM m1."level_0"
  GROUP BY
    m0."level_1",
    m1."level_2"
  HAVING
    COALESCE(COUNT(DISTINCT s."patient_id") < 5, TRUE)
)
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS outliers,
  COUNT(*) AS violating_classes
FROM violating
