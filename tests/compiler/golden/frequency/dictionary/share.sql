/* kanon: values of weight */
CREATE TABLE "kanon_share_values_weight" AS
SELECT
  d.ground,
  ROW_NUMBER() OVER (ORDER BY d.ground ASC) - 1 AS value,
  d.n,
  d.mass,
  d.total
FROM (
  SELECT
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END AS ground,
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    CASE
      WHEN ISNAN(s."weight")
      THEN CAST('nan' AS DOUBLE)
      WHEN s."weight" = 0
      THEN CAST(0 AS DOUBLE)
      ELSE s."weight"
    END
) AS d
