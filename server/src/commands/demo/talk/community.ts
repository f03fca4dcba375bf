export const COMMUNITY_CONVERSATIONS = String.raw`
# community > what is new
Hannah: **Plotbook 4.2** is out. The watering plan works offline, and the garden diary takes photos. Frost warnings follow in January.
Kenji: The new icons are by @**Diego Ramos**. Yes, the snail has a backpack now.
Ines: Thank you to the 31 gardens who tried it before everyone else. Your 64 reports are why it starts in under three seconds.

# community > how do I share a bed with my neighbor?
Priya: This is the question we hear most often, so here is the answer for everyone. Until shared beds arrive:
1. Open the bed and choose *Print rota*.
2. Give your neighbor the link at the bottom of the page.
3. Both of you can tick off watering, without a second account.
Ada: Ticks made offline are merged later. If both of you water, the earlier tick wins and nobody loses a tomato.
Luca: And the real thing is on its way: we collect wishes for shared beds in this topic.
Priya: Wish of the week: "My husband should see when it is his turn, but not when I say that I did it for him."

# community > import from a spreadsheet
Samuel: Several gardens keep their beds in a spreadsheet. These columns can be imported today:

| Column | Example | Needed |
|---|---|---|
| bed | North 3 | yes |
| plant | Runner beans | yes |
| sown | 2026-05-12 | no |
| notes | next to the water butt | no |
Tomasz: Save it as CSV with UTF-8, then run the check before the import:

~~~ sh
plotbook import --check beds.csv
~~~
Tomasz: It lists each line it does not understand, and changes nothing.
Hannah: Dates like 12.5. work too. We asked forty gardeners, and they write dates in eleven ways.

# community > garden of the month
Hannah: Harbour Plots in Denmark grow everything in fish boxes, and one box has a lemon tree in it. :lemon:
Kenji: Their bed plan is the most beautiful spreadsheet that I have ever had to import.
Hannah: Tell us about your garden, and it may be the next one.

# community > data and privacy
Freya: A journalist asked us what happens to the place of a garden. The answer belongs here, too: it is used for the weather and for nothing else, and deleting a garden deletes it.
Tomasz: Backups keep deleted gardens for 30 days. After that, they are gone there as well.
`
