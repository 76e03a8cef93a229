/** What the search of the documentation finds: a section of a guide or an operation of the API. */
export interface SearchEntry {
  url: string;
  title: string;
  /** The title of its page, or the method and path of the operation. */
  place: string;
  text: string;
}
