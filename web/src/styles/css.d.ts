/** The build puts styles into the one file of styles that the page names. */
declare module '*.css'
