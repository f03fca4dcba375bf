/** As in `package.json`. In a separate file, so that `parley --version` loads nothing else. */
export const VERSION = '0.4.0'
