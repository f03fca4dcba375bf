export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<title>Parley</title>
<rect width="64" height="64" rx="14" fill="#1d4e5f"/>
<path fill="#f2a93b" d="M28 12h20a8 8 0 0 1 8 8v12a8 8 0 0 1-2 5.3V47l-8.6-7H28a8 8 0 0 1-8-8V20a8 8 0 0 1 8-8z"/>
<path fill="#f7f3ea" stroke="#1d4e5f" stroke-width="3" d="M16 24h20a8 8 0 0 1 8 8v10a8 8 0 0 1-8 8H20.600l-8.600 7v-8.100A8 8 0 0 1 8 42V32a8 8 0 0 1 8-8z"/>
<g fill="#1d4e5f"><circle cx="18" cy="37" r="2.800"/><circle cx="26" cy="37" r="2.800"/><circle cx="34" cy="37" r="2.800"/></g>
</svg>
`

/** Icon that devices crop to their own shape. */
export const MASKABLE_ICON_SVG = ICON_SVG.replace('viewBox="0 0 64 64"', 'viewBox="-8 -8 80 80"').replace(
  '<rect width="64" height="64" rx="14"',
  '<rect x="-8" y="-8" width="80" height="80"',
)

/** iPhones round the corners themselves and show transparent areas as black. */
export const SQUARE_ICON_SVG = ICON_SVG.replace(' rx="14"', '')
