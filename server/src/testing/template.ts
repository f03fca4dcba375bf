/** Database with every migration applied, copied for each test file. */
export const TEMPLATE_DATABASE = 'parley_template'
