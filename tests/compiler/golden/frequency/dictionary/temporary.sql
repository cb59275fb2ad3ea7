/* kanon: values of diagnosis */
CREATE TEMPORARY TABLE "kanon_values_diagnosis" AS
SELECT
  d.ground,
  ROW_NUMBER() OVER (ORDER BY d.ground ASC) - 1 AS value,
  d.n,
  d.mass,
  d.total
FROM (
  SELECT
    s."diagnosis" AS ground,
    s."diagnosis" AS value,
    COUNT(*) AS n,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS mass,
    CAST(SUM(COUNT(*)) OVER () AS BIGINT) AS total
  FROM "warehouse"."main"."patients" AS s
  GROUP BY
    s."diagnosis"
) AS d
