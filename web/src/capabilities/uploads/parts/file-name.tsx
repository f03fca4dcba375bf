/** Characters of the end that stays visible, which has the extension. */
const END_CHARACTERS = 9
/** Shorter names fit everywhere. */
const MAX_WHOLE_CHARACTERS = 20

export function isLongName(name: string): boolean {
  return name.length > MAX_WHOLE_CHARACTERS
}

/** Shows a name that is cut in its middle if it does not fit. The link around it needs the whole name as its label. */
export function FileName({ name }: { readonly name: string }) {
  if (!isLongName(name)) return <bdi>{name}</bdi>
  const characters = [...name]
  return (
    <bdi>
      <span class="file-name-start">{characters.slice(0, -END_CHARACTERS).join('')}</span>
      {characters.slice(-END_CHARACTERS).join('')}
    </bdi>
  )
}
