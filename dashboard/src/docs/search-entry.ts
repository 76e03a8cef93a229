/** One result of the documentation search: a section of a guide or an operation of the API. */
export interface SearchEntry {
  url: string;
  title: string;
  /** The title of the page, or the method and path of the operation. */
  place: string;
  text: string;
}
