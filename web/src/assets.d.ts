declare module '*.css'

/** Path of the built file, relative to the scripts. */
declare module '*.woff2' {
  const path: string
  export = path
}

declare module '*.txt' {
  const path: string
  export = path
}
