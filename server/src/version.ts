/** Of the program, as clients and `parley --version` see it. In a file of its own: to say it, nothing must be loaded. */
export const VERSION = '0.1.0'
