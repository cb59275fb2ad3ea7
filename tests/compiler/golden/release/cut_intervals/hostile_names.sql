/* kanon: intervals that Parquet would cut */
SELECT
  COUNT(*) FILTER(WHERE
    LEAST(
      DATE_PART('year', "a""b"),
      DATE_PART('month', "a""b"),
      DATE_PART('day', "a""b"),
      DATE_PART('hour', "a""b"),
      DATE_PART('minute', "a""b"),
      DATE_PART('microsecond', "a""b")
    ) < 0
    OR DATE_PART('hour', "a""b") >= 1193
    OR DATE_PART('microsecond', "a""b") % 1000 <> 0) AS cut_0,
  COUNT(*) FILTER(WHERE
    LEAST(
      DATE_PART('year', "stay"),
      DATE_PART('month', "stay"),
      DATE_PART('day', "stay"),
      DATE_PART('hour', "stay"),
      DATE_PART('minute', "stay"),
      DATE_PART('microsecond', "stay")
    ) < 0
    OR DATE_PART('hour', "stay") >= 1193
    OR DATE_PART('microsecond', "stay") % 1000 <> 0) AS cut_1
FROM "warehouse"."main"."patients"
WHERE
  admitted >= CAST('2024-01-01' AS DATE) AND ward <> 'A'
