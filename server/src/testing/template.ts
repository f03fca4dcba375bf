/** Every migration is applied; each test file copies it. */
export const TEMPLATE_DATABASE = 'parley_template'
