/** As in `package.json`. In its own file, so that `parley --version` loads nothing else. */
export const VERSION = '0.4.0'
