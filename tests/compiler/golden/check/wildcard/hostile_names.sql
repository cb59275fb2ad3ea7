/* kanon: class sizes of t”; drop table patients; --, NULL as a wildcard */
WITH classes AS (
  SELECT
    "a""b" AS qi_0,
    "select" AS qi_1,
    "größe" AS qi_2,
    "Marital Status" AS qi_3,
    "t""; drop table patients; --" AS qi_4,
    (
      "a""b" IS NULL
      OR "select" IS NULL
      OR "größe" IS NULL
      OR "Marital Status" IS NULL
      OR "t""; drop table patients; --" IS NULL
    ) AS has_null,
    ROW_NUMBER() OVER () AS number,
    COUNT(*) AS row_count
  FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --"
  GROUP BY
    "a""b",
    "select",
    "größe",
    "Marital Status",
    "t""; drop table patients; --"
  HAVING
    NOT COALESCE(
      CAST("a""b" AS TEXT) = '*'
      AND CAST("select" AS TEXT) = '*'
      AND CAST("größe" AS TEXT) = '*'
      AND CAST("Marital Status" AS TEXT) = '*'
      AND CAST("t""; drop table patients; --" AS TEXT) = '*',
      FALSE
    )
), paired AS (
  SELECT
    a.number,
    b.row_count AS matching
  FROM classes AS a
  JOIN classes AS b
    ON a.has_null
    AND (
      a.qi_0 = b.qi_0 OR a.qi_0 IS NULL OR b.qi_0 IS NULL
    )
    AND (
      a.qi_1 = b.qi_1 OR a.qi_1 IS NULL OR b.qi_1 IS NULL
    )
    AND (
      a.qi_2 = b.qi_2 OR a.qi_2 IS NULL OR b.qi_2 IS NULL
    )
    AND (
      a.qi_3 = b.qi_3 OR a.qi_3 IS NULL OR b.qi_3 IS NULL
    )
    AND (
      a.qi_4 = b.qi_4 OR a.qi_4 IS NULL OR b.qi_4 IS NULL
    )
  UNION ALL
  SELECT
    a.number,
    b.row_count
  FROM classes AS a
  JOIN classes AS b
    ON NOT a.has_null
    AND b.has_null
    AND (
      a.qi_0 = b.qi_0 OR b.qi_0 IS NULL
    )
    AND (
      a.qi_1 = b.qi_1 OR b.qi_1 IS NULL
    )
    AND (
      a.qi_2 = b.qi_2 OR b.qi_2 IS NULL
    )
    AND (
      a.qi_3 = b.qi_3 OR b.qi_3 IS NULL
    )
    AND (
      a.qi_4 = b.qi_4 OR b.qi_4 IS NULL
    )
  UNION ALL
  SELECT
    number,
    row_count
  FROM classes
  WHERE
    NOT has_null
), sized AS (
  SELECT
    c.number,
    c.row_count,
    CAST(SUM(p.matching) AS BIGINT) AS size
  FROM classes AS c
  JOIN paired AS p
    ON c.number = p.number
  GROUP BY
    c.number,
    c.row_count
)
SELECT
  size,
  COUNT(*) AS classes,
  CAST(SUM(row_count) AS BIGINT) AS row_count
FROM sized
GROUP BY
  size
ORDER BY
  size
