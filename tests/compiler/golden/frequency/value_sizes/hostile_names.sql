/* kanon: sizes of the values of re”gion */
SELECT DISTINCT
  n
FROM "kanon_share_values_re""gion"
