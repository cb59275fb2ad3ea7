/* kanon: sizes of the trie digits of a”b */
SELECT
  MAX(digit_0) AS largest_0,
  MAX(digit_1) AS largest_1
FROM "kanon_digits_a""b"
