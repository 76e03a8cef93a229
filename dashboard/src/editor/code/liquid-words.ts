/** The Liquid tags, each with the text to insert after its name. `#{…}` marks what the user fills in. */
export const liquidTags: Record<string, string> = {
  '#': '#{comment}',
  assign: '#{name} = #{value}',
  break: '',
  capture: '#{name}',
  case: '#{value}',
  comment: '',
  continue: '',
  cycle: '#{first}, #{second}',
  decrement: '#{name}',
  echo: '#{value}',
  for: '#{item} in #{list}',
  if: '#{condition}',
  increment: '#{name}',
  liquid: '',
  raw: '',
  render: "'#{}'",
  tablerow: '#{item} in #{list}',
  unless: '#{condition}',
};

/** The tags that end with `{% end… %}`. */
export const liquidBlocks: ReadonlySet<string> = new Set(['capture', 'case', 'comment', 'for', 'if', 'raw', 'tablerow', 'unless']);

/** The tags that divide a block. */
export const liquidBranches = ['else', 'elsif', 'when'];

export const liquidFilters = (
  'abs append array_to_sentence_string at_least at_most base64_decode base64_encode capitalize ceil cgi_escape compact concat date ' +
  'date_to_long_string date_to_rfc822 date_to_string date_to_xmlschema default divided_by downcase escape escape_once find find_exp ' +
  'find_index find_index_exp first floor group_by group_by_exp has has_exp hmac_sha256 inspect join json jsonify last lstrip map minus ' +
  'modulo newline_to_br normalize_whitespace number_of_words plus pop prepend push raw reject reject_exp remove remove_first ' +
  'remove_last replace replace_first replace_last reverse round rstrip sample sha256 shift size slice slugify sort sort_natural split ' +
  'squish strip strip_html strip_newlines sum times to_integer truncate truncatewords uniq unshift upcase uri_escape url_decode ' +
  'url_encode where where_exp xml_escape'
).split(' ');
