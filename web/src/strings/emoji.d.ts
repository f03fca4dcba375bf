/** Path of the built file, relative to the scripts. */
declare module '*.txt' {
  const path: string
  export = path
}
