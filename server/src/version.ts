/** Same as in `package.json`. This is a separate file, so that `parley --version` loads nothing else. */
export const VERSION = '0.4.0'
