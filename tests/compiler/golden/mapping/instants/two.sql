/* kanon: instants */
WITH cells AS (
  SELECT
    UNNEST(FROM_JSON($clocks, '["VARCHAR"]')) AS clock,
    UNNEST(FROM_JSON($zones, '["VARCHAR"]')) AS zone_name,
    UNNEST(FROM_JSON($ahead, '["BIGINT"]')) AS ahead,
    UNNEST(RANGE(0, CAST(JSON_ARRAY_LENGTH($clocks) AS BIGINT))) AS position
), zones AS (
  SELECT DISTINCT
    name AS zone_name
  FROM PG_TIMEZONE_NAMES()
), clocks AS (
  SELECT
    c.position,
    TRY_CAST(c.clock AS TIMESTAMP) AS clock,
    c.ahead,
    z.zone_name
  FROM cells AS c
  LEFT JOIN zones AS z
    ON LOWER(z.zone_name) = LOWER(c.zone_name)
), inner_clocks AS (
  SELECT
    *,
    CASE
      WHEN clock BETWEEN CAST('200000-01-01 (BC)' AS TIMESTAMP) AND CAST('200000-01-01' AS TIMESTAMP)
      THEN clock
    END AS near
  FROM clocks
), guesses AS (
  SELECT
    *,
    near - (
      TIMEZONE(zone_name, TIMEZONE('UTC', near - TO_DAYS(1))) - (
        near - TO_DAYS(1)
      )
    ) AS day_before,
    near - (
      TIMEZONE(zone_name, TIMEZONE('UTC', near + TO_DAYS(1))) - (
        near + TO_DAYS(1)
      )
    ) AS day_after
  FROM inner_clocks
), candidates AS (
  SELECT
    position,
    CASE WHEN ahead = 0 THEN clock ELSE near - TO_SECONDS(ahead) END AS fixed,
    CASE
      WHEN TIMEZONE(zone_name, TIMEZONE('UTC', day_before)) = near
      THEN day_before
    END AS first_reading,
    CASE WHEN TIMEZONE(zone_name, TIMEZONE('UTC', day_after)) = near THEN day_after END AS second_reading,
    near IS NULL OR zone_name IS NULL AS no_zone
  FROM guesses
), instants AS (
  SELECT
    position,
    COALESCE(fixed, first_reading, second_reading) AS instant,
    CASE
      WHEN NOT fixed IS NULL
      THEN 1
      WHEN no_zone
      THEN NULL
      WHEN first_reading IS NULL AND second_reading IS NULL
      THEN 0
      WHEN first_reading <> second_reading
      THEN 2
      ELSE 1
    END AS readings
  FROM candidates
)
SELECT
  position,
  CAST(instant AS TEXT) || CASE WHEN ISFINITE(instant) THEN '+00' ELSE '' END AS instant,
  CAST(readings AS BIGINT) AS readings
FROM instants
ORDER BY
  position
-- $clocks = "[\"2024-01-05 21:00:00.000000\", \"2024-01-05 00:00:00.000000\"]"
-- $zones = "[null, \"Europe/Berlin\"]"
-- $ahead = "[7200, null]"
