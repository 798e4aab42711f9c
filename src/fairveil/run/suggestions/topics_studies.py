"""Words of columns of studies and trials: what was shown and asked, prices and taxes where people live, and what
employers ask for."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

PRICES = "prices and taxes where somebody lives"
STUDIES = (
    Topic("plain", 4, "what was shown or asked, not what somebody answered",
          "=item =items =itemid =itemno =itemtype =task =tasktype =stimulus =stimuli =stim =stimid =prime =primetype "
          "=cue =probe =distractor =stimtype =situ =btype =trialno =trialnum =trialtype "
          "=trialorder =sequence =seqgrp =counterbalance =questionorder =soundcondition =replicate "
          "=product =prodid =dish =brew =recipe vignette scenario version+test test+version test+form "
          "form+test question+order item+order stimulus+type"),
    Topic("plain", 6, PRICES,
          "cigtax cigtaxsq cigprice cigpric cigarette+price cigarette+tax tobacco+tax tobacco+price beertax beerprice "
          "beer+tax beer+price alcohol+tax gastax gasprice gas+price gas+tax fuel+price fuel+tax petrol+price "
          "cigarette+taxes milk+price bread+price "
          "food+price regprc minimum+wage minwage min+wage wage+min exchange+rate cpi ipc verbraucherpreisindex "
          "unemrate unemprate unemployment+rate unemp+rate rate+unemp rate+unemployment urate jobless+rate "
          "arbeitslosenquote taux+chomage tasa+paro tasa+desempleo taxa+desemprego tasso+disoccupazione"),
    Topic("plain", 4, "what employers ask for",
          "exp+req experience+req educ+req education+req school+req degree+req skill+req skills+req comp+req org+req "
          "com+req min+req required+experience required+education required+skills"),
    Topic("thing", 3, "how somebody travelled or stayed",
          "pclass passengerclass passenger+class reiseklasse"),
    Topic("life", 2, "skills and honours of an application",
          "honors honours honor computer+skills special+skills "
          "references extracurricular hobbies =athlete"),
    Topic("unit", 5, "an institution or a group", "=centre =center =centro =zentrum"),
    Topic("place", 2, "where somebody lives or is", "=distance =distanz =distancia"),
    Topic("life", 3, "family and home", "livch livchild living+children"),
    Topic("ground", 3, "race, colour or origin", "blck whte"),
    Topic("score", 6, "attitudes to groups",
          "fear prejudice resentment thermometer therm"),
    Topic("name", 4, "names of people who hold office",
          "=senator =congressman =congresswoman =representative =governor =potus =vpotus =chancellor =premier =pope "
          "=monarch"),
    Topic("name", 5, "a part of names", "voorvoegsel tussenvoegsel namenszusatz vorsatzwort adelstitel nobiliary"),
)  # fmt: skip
"""The words of each topic."""
