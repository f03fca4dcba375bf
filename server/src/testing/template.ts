/** The database with every migration applied, of which each test file gets a copy. */
export const TEMPLATE_DATABASE = 'parley_template'
