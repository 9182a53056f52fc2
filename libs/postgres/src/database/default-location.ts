import type { TableLocation } from './table-names.js';

/** Where the tables are unless the application says otherwise. */
export const DEFAULT_LOCATION: TableLocation = Object.freeze({ schema: 'nestor', prefix: '' });
