/** The build bundles styles into one file, which the page links. */
declare module '*.css'
