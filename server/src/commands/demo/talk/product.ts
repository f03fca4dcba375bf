export const PRODUCT_CONVERSATIONS = String.raw`
# product > spring release
Ines: What must be in for the 24th, from the planning board:
- [x] Watering plan offline
- [x] Photos in the garden diary
- [ ] New onboarding
- [ ] Faster start on old phones
Tomasz: Offline is merged and has been on for our own gardens since Monday. No conflicts lost so far.
Ada: Start on the oldest test phone is down to 2.8 s, from 5.1. I want to see a 1 in front.
Kenji: Onboarding waits for the last two illustrations, @**Diego Ramos** sends them tomorrow
Kenji: He wrote: "tomorrow morning, promised" :art:
Samuel: I'll freeze the test plan on Friday. What is not in by then gets tested for the next one.
Ines: Agreed. Friday 18:00 is the line.
Luca: And what if something is in at 18:05
Samuel: Then it is a summer feature
Ines: The line was 18:00, it is 18:02 and everything is in. I am proud of you all.
Samuel: Test plan: 84 cases, 81 green, 2 yellow, 1 red. The red one is the printout of the rota in Portuguese.
Luca: "Rega" plus a long name runs out of the column. Fixing, ten minutes.
Samuel: 84 of 84. Go from my side.
Ines: Then we ship on Tuesday morning, when everybody is awake. :seedling:

# product > what gardeners ask for
Priya: The five wishes I heard most often in November, with how often:

| Wish | Times |
|------|------:|
| Share a bed between two people | 37 |
| Reminders for frost | 31 |
| Print the watering rota | 24 |
| Dark mode | 19 |
| Compost temperature | 6 |
Ines: Thirty-seven! That is more than last month's three top wishes together.
Kenji: Frost reminders could be lovely and small: one line in the morning, only when it matters
Tomasz: We already have the coordinates of each garden, and the weather service costs nothing at our size. Two days, I'd guess.
Ines: I would do frost first then, because it is winter *now*, and shared beds properly in January.
Samuel: Who are the six with the compost temperature?
Priya: All six are the same person. He is very kind and very persistent.

# product > shared beds
Ines: Let us collect questions before we design anything. What happens when two people share a bed and one leaves the garden?
Tomasz: Today a bed has one owner, and everything (diary, harvest, rota) hangs from that. I see two ways:
1. a bed has a *list* of owners
2. a bed belongs to a small group, and the group has members
Ada: 2 sounds like more words for the same thing, until a family of five arrives
Luca: For the screen it makes no difference. "Beds of Anna & Jonas".
Priya: People think in households. "Our bed." When somebody moves away, the bed stays with who stays.
Tomasz: Then 2. The group *is* the household, it just has no name of its own.
Ines: I like that. Kenji, would you sketch how you invite somebody to your bed?
Kenji: Sketch: https://plotbook.example/sketches/shared-bed. Three screens, the third is only "Done".
Ada: Can the third be a small message instead? People tap "Done" without reading, and then ask.
Kenji: Good point. Two screens.
Samuel: What does the harvest statistic show for each of them? Half?
Ines: The bed's harvest, to both. It is not a competition.
Hannah: Tell that to my father and his courgettes

# product > frost warnings
Tomasz: First version runs for our own gardens since yesterday. It looks at the forecast at 16:00 and writes if the night goes below 2 °C.
Priya: Got one! "Frost tonight (−1 °C): cover the lettuce." It felt like a message from a friend.
Hannah: Because I wrote it :innocent:
Kenji: Could it name only plants that are actually in *my* beds?
Tomasz: It does. You have lettuce.
Kenji: I have *lettuce*?
Ines: Who plants things in Kenji's bed
Luca: /me walks away whistling
Samuel: Found one thing: gardens on the southern half of the globe got a warning for summer. The comparison used the absolute value.
Tomasz: Oh no. Fixed, with a test named after Wellington.

# product > numbers of the week
Samuel: Week 47, compared with the week before:

| | This week | Before |
|---|---:|---:|
| Active gardens | 1,204 | 1,177 |
| Diary entries | 8,930 | 7,412 |
| Crash-free sessions | 99.6 % | 99.5 % |
| Answers within a day | 93 % | 95 % |
Ines: Diary entries up by a fifth in *November*? What are they writing about?
Samuel: Mostly plans for next year. And leaves. Many, many leaves.
Priya: The 93 is mine, I was at the dentist on Wednesday. Sorry!
Ines: Please go to the dentist whenever you need to.

# product > names for things
Hannah: We say "plot", "bed" and "patch" for the same thing in three places. May I clean that up?
Ines: Please. Which one wins?
Hannah: **Bed**. Short, and everyone understands it. "Plot" stays for the garden as a whole.
Luca: I count 214 uses of "patch" in the code
Tomasz: 209 of them are about HTTP
Luca: Fine. Five uses.

# design > onboarding
Kenji: New onboarding, second round: https://plotbook.example/sketches/onboarding-2
What changed since last week:
* Two questions instead of six
* The garden appears while you answer, so the waiting *is* the fun part
* You can skip everything and nothing breaks
Ines: Watching beds grow while I type my name made me smile like a child.
Luca: Is the animation CSS or a video?
Kenji: Whatever you prefer. I exported it both ways.
Luca: CSS then. Forty kilobytes less, and it can stop for people who don't want motion.
Ada: On the phone I'd keep the first frame only. Animations on the old test phone look like a slide show.
Kenji: Good with me. First frame below a certain speed, animation above.
Priya: Test with Mrs. Weber (79, first smartphone): done in 1:40, without help. She asked whether she can do it again.
Kenji: This is the best review I ever got

# design > colors for dark mode
Kenji: Draft of the dark palette. Contrast against the background in brackets:

~~~css
:root[data-theme='dark'] {
  --soil: #1d1a16;
  --leaf: #8fbf6a;   /* 8.2:1 */
  --sun: #e8c468;    /* 10.4:1 */
  --clay: #c98d6b;   /* 6.3:1 */
}
~~~
Luca: Lovely. Is *clay* also used for warnings?
Kenji: No, warnings get their own red, so that nobody mistakes a pot for a problem
Samuel: Checked with two color-blindness filters: leaf and clay are hard to tell apart in the charts.
Kenji: Then charts get patterns, too. Thanks for checking!
Hannah: "Soil" as a background color name. I want to live in this style sheet.

# design > illustrations
Diego: First batch: beans, watering can, compost heap, snail. https://plotbook.example/art/batch-1
Kenji: The snail!!
Priya: Can the snail be our 404 page?
Luca: It can and it will.
Kenji: One wish: the watering can looks a bit like a teapot
Diego: Haha true. The spout gets a proper rose tomorrow.
Ines: Teapot also has its charm, but yes please.
Diego: Second batch with a proper rose: https://plotbook.example/art/batch-2
Kenji: Perfect. All of them go into the library as SVG, with names.

# design > icons
Luca: We have three different icons for "settings". Which one is right?
Kenji: The gear with eight teeth. The others are history.
Luca: The one with seven teeth is on the home screen
Kenji: Now I cannot unsee it
Luca: Replaced everywhere.

# hiring > second backend engineer
Ines: We have 31 applications. @**Tomasz Nowak** and I read all of them over the weekend and would talk to five.
Tomasz: My two favorites: the one who wrote the bus timetable software, and the one with the beekeeping logs in Postgres.
Freya: I'll send invitations for next week. Thirty minutes each, two of us, always the same questions?
Ines: Yes. Questions as last time, plus one about working remotely.
Freya: All five accepted. Calendar is updated, please keep those slots free.
Tomasz: After today's talks: the bus timetable person was *excellent*. Careful, funny, asked better questions than I did.
Ines: Same impression. I would like everyone to meet her for lunch before we decide.
Freya: Lunch on Friday, table for nine at the Italian place.
`
