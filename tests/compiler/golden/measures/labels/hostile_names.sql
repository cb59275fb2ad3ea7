/* kanon: what labels of a”b lose */
CREATE TABLE "la""bels" AS
WITH levels AS (
  SELECT
    UNNEST(CAST($levels AS BIGINT[])) AS level,
    UNNEST(CAST($mask_0 AS BIGINT[])) AS mask_0
), grounds AS (
  SELECT
    c.code_0,
    c.ground IS NULL AS stray_null,
    NOT g.ground IS NULL AND g.level_0 IS DISTINCT FROM CAST(g.ground AS TEXT) AS placed
  FROM "kanon_codes_a""b" AS c
  JOIN "kanon_map_a""b" AS g
    ON c.ground IS NOT DISTINCT FROM g."ground"
), found AS (
  SELECT
    v.level,
    c.code_0 & v.mask_0 AS code_0,
    COUNT(*) FILTER(WHERE
      NOT c.stray_null AND NOT c.placed) AS leaves,
    COUNT(*) FILTER(WHERE
      c.stray_null) AS nulls,
    COUNT(*) FILTER(WHERE
      c.placed) AS placed
  FROM grounds AS c
  CROSS JOIN levels AS v
  GROUP BY
    v.level,
    c.code_0 & v.mask_0
), entries AS (
  SELECT
    f.key_0 & CAST(3 AS BIGINT) AS code_0,
    CAST(SUM(f.n) AS BIGINT) AS n
  FROM "fre""quency" AS f
  GROUP BY
    f.key_0 & CAST(3 AS BIGINT)
), counted AS (
  SELECT
    v.level,
    e.code_0 & v.mask_0 AS code_0,
    CAST(COALESCE(SUM(e.n), 0) AS BIGINT) AS n
  FROM entries AS e
  CROSS JOIN levels AS v
  GROUP BY
    v.level,
    e.code_0 & v.mask_0
), source_counted AS (
  SELECT
    v.level,
    c.code_0 & v.mask_0 AS code_0,
    CAST(SUM(o.n) AS BIGINT) AS n
  FROM (
    SELECT
      s."a""b" AS ground,
      COUNT(*) AS n
    FROM "ware house"."s""; drop schema main; --"."t""; drop table patients; --" AS s
    GROUP BY
      s."a""b"
  ) AS o
  JOIN "kanon_codes_a""b" AS c
    ON o.ground IS NOT DISTINCT FROM c.ground
  CROSS JOIN levels AS v
  GROUP BY
    v.level,
    c.code_0 & v.mask_0
), labels AS (
  SELECT
    b.level,
    b.code_0,
    b.leaves,
    b.nulls,
    b.placed,
    COALESCE(n.n, 0) AS row_count,
    COALESCE(s.n, 0) AS source_rows,
    CAST(2 AS BIGINT) AS height,
    (
      SELECT
        COUNT(*)
      FROM grounds AS c
      WHERE
        NOT c.stray_null AND NOT c.placed
    ) AS all_leaves,
    CAST($all_rows AS BIGINT) AS all_rows
  FROM found AS b
  LEFT JOIN counted AS n
    ON b.level = n.level AND b.code_0 = n.code_0
  LEFT JOIN source_counted AS s
    ON b.level = s.level AND b.code_0 = s.code_0
)
SELECT
  l.level,
  l.code_0,
  l.row_count,
  CASE
    WHEN l.leaves > 0
    THEN CASE
      WHEN l.level = l.height
      THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
      ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    END
    WHEN l.placed > 0
    THEN CASE
      WHEN l.level = l.height
      THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
      ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    END
    ELSE CASE
      WHEN l.level = l.height
      THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
      ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    END
  END AS loss,
  CASE
    WHEN l.nulls > 0 AND l.leaves + l.placed > 0
    THEN CASE
      WHEN l.level = l.height
      THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
      ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    END
  END AS null_loss,
  CASE
    WHEN l.placed > 0 AND l.leaves > 0
    THEN CASE
      WHEN l.level = l.height
      THEN CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
      ELSE CAST(ROUND(LN(GREATEST(l.source_rows, 1)) / LN(2) * 17592186044416) AS BIGINT)
    END
  END AS placed_loss,
  CAST(ROUND(LN(GREATEST(l.all_rows, 1)) / LN(2) * 17592186044416) AS BIGINT) AS most
FROM labels AS l
-- $levels = [0, 1, 2]
-- $mask_0 = [3, 2, 0]
-- $all_rows = 100
