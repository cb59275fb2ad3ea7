/* kanon: violating classes of patients */
WITH entries AS (
  SELECT
    s."age" AS qi_0,
    s."zip" AS qi_1,
    s."diagnosis" AS value_0,
    1 AS n
  FROM "warehouse"."main"."patients" AS s
  WHERE
    NOT COALESCE(CAST(s."age" AS TEXT) = 'it''s *' AND CAST(s."zip" AS TEXT) = 'it''s *', FALSE)
), values_0 AS (
  SELECT
    e.qi_0,
    e.qi_1,
    e.value_0 AS value,
    CAST(SUM(e.n) AS BIGINT) AS n,
    CAST(SUM(e.n) AS BIGINT) AS row_count
  FROM entries AS e
  GROUP BY
    e.qi_0,
    e.qi_1,
    e.value_0
), classes AS (
  SELECT
    v.qi_0,
    v.qi_1,
    CAST(SUM(v.row_count) AS BIGINT) AS row_count,
    COALESCE(SUM(v.row_count) < 5, TRUE) OR COALESCE(COUNT(v.n) < 3, TRUE) AS violating
  FROM values_0 AS v
  GROUP BY
    v.qi_0,
    v.qi_1
)
SELECT
  CAST(COALESCE(SUM(row_count) FILTER(WHERE
    violating), 0) AS BIGINT) AS outliers,
  COUNT(*) FILTER(WHERE
    violating) AS violating_classes
FROM classes
