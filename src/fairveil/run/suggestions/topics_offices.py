"""Words of columns as systems of hospitals, schools, employers, insurers, banks and towns export them, in German,
French, Spanish, Italian, Portuguese and Dutch, and of bookings and registers in English."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

OFFICES = (
    Topic("place", 3, "where somebody lives or is",
          "einzugsgebiet canton comunidad parroquia =cap frazione freguesia stadsdeel kommun =lan fylke kommune obec "
          "okres megye prov+res res+prov =prov distritos totalpop totpop urbanpercent pcturban percurban"),
    Topic("place", 3, "where somebody lives or is", "cd+post code+post cod+post dept+nais nais dep+nais dpt"),
    Topic("place", 1.5, "where somebody came from", "provenance provenienza procedencia proveniencia"),
    Topic("date", 3, "when something happened to somebody",
          "beginn stichtag zugang faelligkeit embauche =debut =fin echeance survenance souscription =effet adhesion "
          "=alta =baja =inicio vencimiento apertura contratacion immatricolazione =iscrizione =inizio =fine =mese "
          "assunzione cessazione admissao saida inschrijving vestiging =einde maand =jaar kwartaal =term =semester "
          "run+timestamp load+timestamp aa+imm anno+imm diag+yr diagyr dxyr dx+year diag+year year+diag yr+onset "
          "yronset onset+yr year+onset year+diagnosis yr+diag jahr+diagnose annee+diagnostic fecha+alta"),
    Topic("life", 3, "school or studies",
          "oficio facultad classe cds ateneo facolta coll univ soph habilitacoes agregado tipo+corso corso "
          "indirizzo+studi =ba =aa =jc =bs =ma =freshman =hs academic+year"),
    Topic("life", 3, "work",
          "dienstjahre =dj betriebszugehorigkeit kst wostd wostunden stellenumfang echelon anzianita livello contratto "
          "puesto schaal activeduty active+duty duty+forces armed+forces armedforces military+service prevexp focc "
          "=occ prev+exp howlong time+in+service pexper"),
    Topic("life", 3, "family and home",
          "haushaltsgroesse haushaltsgrosse hh+grosse hh+groesse zimmerzahl abitazione figli positie+hh hh+positie "
          "live+with living+with lives+with livewith people+household persons+household nucleo+familiare"),
    Topic("life", 3, "family and home",
          "nb+enf nbenf nbre+enf num+figli n+figli occupants people+liable anc+logt logt"),
    Topic("life", 3, "school or studies", "graduated hs+type school+type type+school"),
    Topic("life", 3, "work", "antig anc+emploi anc+empl"),
    Topic("body", 3, "how somebody looks", "altezza statura estatura talla korpergrosse lengte"),
    Topic("life", 2, "how somebody gets to places, and what they belong to",
          "=drive =bike =walk =greek =clubs =fraternity =sorority voluntr"),
    Topic("money", 3, "money",
          "jahreslohn lohnart zuschlag unterhalt wohngeld selbstbehalt schadenhohe honoraires sinistre garantie =apl "
          "encours =mora riesgo ayuda isee tassa tasse contributo contributi mutuo =rata escalao prestacao woz "
          "bijstand toeslag hypotheek tuition"),
    Topic("plain", 2, "tuition of a place", "=tuit17 =tuit18 =tuit"),
    Topic("health", 3, "health",
          "beatmung beatmungsstunden beatm verweildauer fallschwere entlassungsgrund entlassgrund einweisung "
          "messwert laborwert gravite ccmu motif actes devenir constantes =estancia degenza zorg opname ligdagen "
          "verpleegduur mode+sortie mode+entree destination+sortie modo+alta tipo+alta esito triage"),
    Topic("health", 4, "health", "farmaci farmaco"),
    Topic("money", 4, "money", "agi schoolgeld"),
    Topic("crime", 4, "crime",
          "bzr strafregister casier antecedentes discipl exp+disciplinario expediente+disciplinario"),
    Topic("score", 3, "scores, marks and opinions",
          "=voti media+voti cfu esami retencoes cijfer cijfers beoordeling moyenne appreciation mitarbeit "
          "ocorrencias conduta comportamento incidents+discipline discipline+incidents"),
    Topic("plain", 5, "how something was measured",
          "einheit referenzbereich refbereich normbereich messgerat messgeraet probenart =unite =unidad =unita "
          "=eenheid ref+range reference+range normal+range =geraet =gerat =appareil =lauf =tube "
          "=analyzer =analyser =instrument lab+device =material =automate borne borne+sup borne+inf valid+bio "
          "cotation unit+rate read+type pack+cost"),
    Topic("plain", 8, "what was measured",
          "=param =paramcd =paramn =parcat1 =parcat =acat1 =dvcat =crit1 =avisit =avisitn"),
    Topic("ground", 3, "nationality",
          "thuistaal first+lang home+lang lang+home lang+maternelle extranjero straniero "
          "burgerlijke+staat verblijfstitel bewilligung"),
    Topic("ground", 3, "marital status", "stato+civ =civil est+civil estcivil est+civ"),
    Topic("ground", 3, "race, colour or origin", "minrty minorty"),
    Topic("ground", 3, "age",
          "=recage =recage2 rec+age generation age+arrest age+release age+sentencing age+offense age+offence "
          "age+incident"),
    Topic("life", 5, "where somebody moved", "migration+code migration+prev migration+msa migration+reg migrationcode"),
    Topic("staff", 3, "who treated, asked or dealt with somebody",
          "sozialarbeiter fallfuhrung fallfuehrung soignant oficina sucursal ufficio sportello tecnico balcao "
          "kantoor medewerker agenzia dezernat =dez reader+id case+officer =mentor =mta =operator appointed+advice"),
    Topic("thing", 3, "what somebody uses or booked",
          "heating+type heizung app+round application+round energie puissance carburant "
          "produktgruppe vertriebsweg kanal canal prodotto canale tariffa tarifario "
          "tarief kanaal horsepower hubraum kraftstoff cavalli cilindrata combustible cilindrada combustivel brandstof "
          "lead+time weekend+nights week+nights stays+nights meal+plan =meal distribution+channel "
          "booking+changes booking+channel waiting+list customer+type parking+spaces special+requests repeated+guest "
          "previous+bookings assigned+room reserved+room plan+cd plan+code plancode rate+plan tariff+plan "
          "service+class cabin chamber"),
    Topic("name", 6, "accounts", "sort+code sortcode bsb routing+number bic swift bankleitzahl blz"),
    Topic("weight", 5, "sampling weights", "senwgt finwgt respwgt hhwgt perwt finalwt final+weight"),
    Topic("plain", 3, "how people were asked", "=form =questform =ballot =mode+form =quest+form"),
    Topic("number", 5, "numbers of people", "custody+ref case+ref client+ref patient+ref customer+ref file+ref "
          "card+id card+no card+nr card+number card+num cardid cardno card+hash pan+hash msisdn karten+nr kartennummer "
          "tarjeta+id id+tarjeta num+carte no+carte kaart+nr"),
)  # fmt: skip
"""The words of each topic."""
