/* kanon: labels per level of a”b */
SELECT
  COUNT(DISTINCT "level_0") AS labels_0,
  COUNT(DISTINCT "level_1") AS labels_1,
  COUNT(DISTINCT "level_2") AS labels_2
FROM "kanon_map_a""b"
