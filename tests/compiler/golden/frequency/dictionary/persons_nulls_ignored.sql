/* kanon: values of diagnosis */
CREATE TABLE "kanon_values_diagnosis" AS
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
    COUNT(DISTINCT s."patient_id") AS n,
    CAST(SUM(COUNT(DISTINCT s."patient_id")) OVER () AS BIGINT) AS mass,
    (
      SELECT
        COUNT(DISTINCT s."patient_id")
      FROM "warehouse"."main"."patients" AS s
      WHERE
        NOT s."diagnosis" IS NULL
    ) AS total
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT s."diagnosis" IS NULL
  GROUP BY
    s."diagnosis"
) AS d
