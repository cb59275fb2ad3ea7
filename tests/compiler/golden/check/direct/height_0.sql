/* kanon: check age=3, country=0 */
WITH violating AS (
  SELECT
    COUNT(*) AS row_count
  FROM "warehouse"."main"."patients" AS s
  JOIN "kanon_map_age" AS m0
    ON s."age" IS NOT DISTINCT FROM m0."level_0"
  JOIN "kanon_map_country" AS m1
    ON s."country" IS NOT DISTINCT FROM m1."ground"
  GROUP BY
    m0."level_3",
    m1."level_0"
  HAVING
    COALESCE(COUNT(*) < 5, TRUE)
)
SELECT
  CAST(COALESCE(SUM(row_count), 0) AS BIGINT) AS outliers,
  COUNT(*) AS violating_classes
FROM violating
