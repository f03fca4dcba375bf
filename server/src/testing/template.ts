/** Database with all migrations, which each test file copies. */
export const TEMPLATE_DATABASE = 'parley_template'
