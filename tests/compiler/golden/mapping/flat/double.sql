/* kanon: mapping table of weight */
CREATE TABLE "kanon_map_weight" AS
SELECT
  CASE
    WHEN ISNAN(s."weight")
    THEN CAST('nan' AS DOUBLE)
    WHEN s."weight" = 0
    THEN CAST(0 AS DOUBLE)
    ELSE s."weight"
  END AS level_0,
  '*' AS level_1
FROM "warehouse"."main"."patients" AS s
GROUP BY
  CASE
    WHEN ISNAN(s."weight")
    THEN CAST('nan' AS DOUBLE)
    WHEN s."weight" = 0
    THEN CAST(0 AS DOUBLE)
    ELSE s."weight"
  END
