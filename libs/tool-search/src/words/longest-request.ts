/** How many characters of a request are read: whoever pastes a book does not ask for a tool with its last page. */
export const LONGEST_REQUEST = 10_000;
