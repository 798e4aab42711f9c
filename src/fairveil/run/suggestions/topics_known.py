"""Words of columns that name people, and of those that others know of people around them."""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

US_STATES = (
    "alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois "
    "indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri "
    "montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin wyoming"
)

REACHED = "addresses, telephone numbers or accounts"
KNOWN = (
    # what names people
    Topic("name", 4, "names of people",
            "surname lastname firstname fullname givenname familyname middlename forename maidenname maiden "
            "vorname nachname familienname prenom apellido apellidos cognome patronymic last+name first+name "
            "full+name lname fname mname given+name family+name middle+name birth+name nickname last+initial "
            "contact+person payer+name host+name emergency+contact nombres apellido1 apellido2 namen sobrenome apelido "
            "apelidos prenome voornaam achternaam fornavn etternavn efternavn fornamn efternamn imie nazwisko jmeno "
            "prijmeni"),
    Topic("name", 3, "names",
            "name names nom nombre nome naam navn namn initials"),
    Topic("name", 4, "names of people",
            "patient+name mother+name father+name doctor+name customer+name client+name employee+name student+name "
            "person+name user+name child+name spouse+name guardian+name contact+name physician+name parent+name"),
    Topic("thing", 4, "names of things",
            "country+name state+name city+name county+name school+name team+name company+name firm+name product+name "
            "brand+name drug+name file+name variable+name item+name hospital+name region+name course+name "
            "district+name department+name street+number organization+name organisation+name org+name "
            "institution+name university+name college+name club+name shop+name store+name ride+name event+name "
            "show+name movie+name station+name village+name street+name operation+name meet+name competition+name "
            "tournament+name race+name race+type race+date race+result race+distance model+name "
            "series+name tourney+name nome+gruppo nome+comune nome+municipio nome+curso nome+escola nom+groupe "
            "nom+commune nom+etablissement nombre+grupo nombre+municipio nombre+escuela nombre+curso"),
    Topic("name", 4, REACHED,
            "email mail courriel correo emailaddress phone telephone telefon telefono tel mobile handy fax ssn iban "
            "address street strasse adresse direccion rue calle passport passnummer reisepass pasaporte username "
            "login url ip vin plate kennzeichen matricula photo fingerprint biometric dni nif nie nir curp cedula "
            "steuernummer sozialversicherungsnummer versichertennummer kontonummer account+number konto+nummer "
            "licence+number license+number card+number cell+phone bib serial device mac cc+number credit+card+number "
            "social+security national+id tax+id imei =twitter twitter+user twitter+url handle signature "
            "anschrift telefonnummer ansprechpartner contact+phone contact+email emailaddr msisdn"),
    # what numbers people and rows
    Topic("number", 3, "numbers of rows or people",
            "id ids uuid guid identifier idno identificador identifiant kennung pid uid mrn ssn nr nummer row "
            "rowname rownames =index row+index key record personalnummer kundennummer matrikelnummer patientennummer "
            "caseid case subjid subject rec seqn seqno obs ref usubjid folio expediente legajo dossier aktenzeichen "
            "matricule token"),
    Topic("number", 3, "numbers of rows or people",
            "=id =ids =pid =uid =identifier =idnum =idnr =subject =caseid =kennung =identifiant"),
    Topic("number", 1.5, "numbers",
            "number num no numero"),
    Topic("number", 4, "numbers of people",
            "patient+id person+id customer+id client+id member+id subject+id employee+id student+id pupil+id user+id "
            "participant+id respondent+id beneficiary+id worker+id player+id child+id pid personid patientid ptnum "
            "ptid patno idcode insurance+no policy+no insurance+number policy+number patient+no patient+nr "
            "customer+no customer+number patient+number patient+num num+patient id+cliente cliente+id id+paciente "
            "personalnummer kundennummer patientennummer kunden+nr patient+nummer person+nr person+no person+number "
            "subject+no subject+number account+id account+no account+number mrn matricule subjid seqn account+nummer "
            "usubjid emp+id empid stu+id stud+id mem+id cust+id custid resp+id participant member+number patient+nbr "
            "patnr pat+nr host+id pernum idind indid ind+id personnr persid pidp =rb030 =pb030 xwaveid nomem"),
    Topic("household", 4, "numbers of households",
            "hhid hid famid hhno hhnr household+id household+no household+number family+id family+number familyid "
            "haushalt+id haushaltsnummer haushaltsid hogar+id menage+id foyer+id house+id hhidpn hidp hhidp =db030 "
            "=hb030 nohouse hhnum hh+num num+hogar"),
    Topic("weight", 4, "sampling weights",
            "wt+final fnlwgt pweight fweight perwt hhwt finalwt wtssall wtss pspwght dweight pweights "
            "sampling+weight survey+weight sample+weight final+weight person+weight analysis+weight design+weight "
            "pondera ponderation hochrechnung hochrechnungsfaktor wgt wgts wght perwgt wtfinl popwt poidsond "
            "poids+sondage factor+expansion anweight anwgt sampwt samplewt wtfac ipondi pondi pondfin fexp fac+exp "
            "factorexp expansion+factor perweight hhweight personwt wtper wthh weight+sample wgtadj sweight asecwt "
            "hwt pwt weights =xw =db090 =rb050 =pb040 =rb060 indinus indpxus indscus psweight ipw"),
    Topic("text", 1, "remarks in words",
            "note notes remark remarks comment comments text notiz notizen bemerkung bemerkungen anmerkung anmerkungen "
            "remarque remarques nota comentario comentarios commentaire commentaires observaciones observacoes "
            "cmt cmts bem bemerk rmk rmks alerts stmt excerpt verbatim narr observacao observacion observation "
            "observations commento commenti "
            "osservazioni opmerking opmerkingen "
            "toelichting vermerk hinweis narrative circumstances memo annotation annotations kommentar kommentare "
            "freitext freetext obs notas notities bio biography essay essays about+me aboutme self+summary "
            "profile+text message messages statement motivation+letter cover+letter verwendungszweck buchungstext "
            "betreff beschreibung omschrijving descripcion descrizione descricao besonderheiten anamnese anamnesis "
            "relato hechos sachverhalt faits anlass+text"),
    # grounds of discrimination that others see or can look up
    Topic("ground", 3, "sex or gender",
            "sex gender female male woman women men girl boy geschlecht sexe sexo genre genero femme homme mujer "
            "hombre weiblich mannlich fem kvinna gndr gend geschl hembra varon fml"),
    Topic("ground", 3, "race, colour or origin",
            "race ethnicity ethnic ethn ethnie etnia raza black white nonwhite nwhite hispanic hisp latino latina "
            "asian afam african caucasian minority colour+skin skin+color aboriginal indigenous immigrant "
            "immigration+status foreign foreigner auslander migrant migration migrationshintergrund native "
            "native+country birthplace country+birth born+country nativeborn foreignborn nonhispanic eskimo "
            "mestizo amerindian raceeth ethrace racegrp caste tribe tribal othrace"),
    Topic("ground", 3, "nationality",
            "nationality nation country citizenship citizen nationalitat staatsangehorigkeit staatsburgerschaft "
            "nationalite nacionalidad pays pais land+herkunft herkunftsland ciudadania language+mother "
            "mothertongue native+language =language =languages =lang home+language sprache langue idioma cntry "
            "ctry brncntr countries"),
    Topic("ground", 3, "age",
            "age ages aged alter edad ageyr agegroup altersgruppe birth birthdate birthday birthyear dob yob born "
            "geburtsdatum geburtsjahr geboren geburtstag naissance nacimiento natality senior elderly agea yrbrn "
            "yrborn birthyr byear bdate ageyrs years+old"),
    Topic("ground", 3, "marital status",
            "marital marr married maried maritl marstat =single divorced divorce widowed widow separated "
            "nevermarried cohab spouse familienstand verheiratet ledig matrimonial situation+famille casado "
            "soltero unmarried mstatus relationship partner cohabiting marriage matri nev+mar msp"),
    Topic("ground", 5, "marital status",
            "civil+status estado+civil etat+civil situation+familiale"),
    Topic("ground", 5, "age",
            "age+dx age+diagnosis age+diag age+admission age+admit age+death age+visit age+surgery age+enrollment "
            "age+enrolment age+baseline age+entry age+interview"),
    Topic("ground", 5, "race, colour or origin",
            "country+birth born+country us+born country+origin"),
    Topic("life", 5, "family and home",
            "own+rent rent+own living+situation housing+status rel+head birth+order birthorder"),
    Topic("place", 8, "where something happened to somebody",
            "death+state injury+state accident+state incident+state birth+state death+city death+country death+place "
            "place+death organization+country company+country organization+city hq+country police+precinct "
            "police+district police+beat police+zone police+station"),
    Topic("life", 6, "school or studies",
            "age+edu age+educ age+left+school eduage"),
    Topic("life", 5, "work",
            "time+spend+company time+company years+company years+service year+service"),
    Topic("life", 5, "school or studies",
            "grade+level"),
    Topic("ground", 3, "family and personal status",
            "personal+status"),
    # grounds that others do not see
    Topic("belief", 4, "religion or belief",
            "religion religious relig faith church catholic protestant protest muslim islam jewish hindu buddhist "
            "konfession religionszugehorigkeit kirche catholique religieux iglesia confesion denomination "
            "spiritual evangelical attend+church wrshp worship bornagain born+again god pray prayer religiosity "
            "mosque attend+services bible"),
    Topic("belief", 4, "sexual orientation",
            "orientation gay lesbian bisexual homosexual heterosexual lgbt lgbtq transgender sexuor sexorient"),
    Topic("belief", 3, "a disability or pregnancy",
            "disability disabled handicap handicapped handicape schwerbehinderung schwerbehindert behinderung "
            "discapacidad invalidite impairment pregnant pregnancy schwanger schwangerschaft grossesse enceinte "
            "embarazo embarazada disab impaired wheelchair"),
    # what acquaintances and registers know
    Topic("place", 3, "where somebody lives or is",
            "zip zipcode postcode postal plz postleitzahl codepostal code+postal code+postale postnummer city town "
            "village municipality county district ort stadt gemeinde wohnort ville commune ciudad municipio "
            "latitude longitude lat lon lng location place residence region reg province provincia departement "
            "kanton bezirk landkreis bundesland borough precinct neighborhood neighbourhood community urban rural "
            "rur smsa msa metro metropolitan north south east west northeast northwest southeast southwest "
            "northcen midwest southern northern state tract blockgroup parish prefecture area zone quartier barrio "
            "lieu lugar luogo dpt depto home+dest destination embarked suburb rgn msa+code population+community "
            "geography geo geographic stateabb fips fip zona localidad comuna departamento dpto estado cbsa "
            f"regions bigcity smallcity smcity centcity milieu pacific atlantic midatl mountain {US_STATES}"),
    Topic("date", 3, "when something happened to somebody",
            "date datum fecha datetime timestamp admission admitted discharge discharged entlassung aufnahme year "
            "jahr annee anno ano month mois monat mes day tag jour dia yr yrs+when quarter week woche semaine semana "
            "eintrittsdatum eintritt date+entree aufnahmedatum visitdate started ended hired+date entree sortie mnth "
            "mth wave season when arrival departure issue+month zeitstempel horodateur marca+temporal enrolment "
            "joined joining signup hiredate startdate enddate inwds inwde gradyear dt istrtdat istrtdatm istrtdaty "
            "istrtdatd issue+d issued"),
    Topic("life", 3, "school or studies",
            "education educ edu schooling school college university degree nodegree graduate grad highschool "
            "hschool student studies diploma estudios etudes schulbildung bildung ausbildung abschluss formation "
            "nivel+estudios phd bachelor masters literacy literate hsgrad qualification schulabschluss ed edlevel "
            "edlev edyrs eduyrs yrseduc daded momed major specialization specialisation graduation studium fach "
            "carrera filiere nivetud etud semester semestre scholarship kindergarten educational parental+level coed"),
    Topic("life", 3, "work",
            "job occupation occup occ profession industry industrie sector employer employed employment unemployed "
            "emp workclass work working worker workstat hours department dept title position rank prof professor "
            "assistant assist assoc associate chair tenure experience exper seniority beruf tatigkeit abteilung "
            "branche metier emploi ocupacion empleo trabajo puesto cargo profesion profocc clerocc servocc selfemp "
            "self+employed bluecol bluecollar whitecollar blue+collar jobclass parttime fulltime retired pensioner "
            "manager construction manufacturing manuf agriculture agric trade services service transport mining "
            "military veteran farmer jobtitle employment+length unem company firm lfp inlf laborforce labor+force "
            "labour+force nonfarm arbeitgeber kostenstelle overtime travel commute hrs role worked developer "
            "engineer programmer administrator designer scientist specialist analyst technician remote incumbent "
            "exp wks farm staff shift contract career business freelance freelancer jobrole joblevel jobless laid "
            "layoff trainee apprentice wrkstat wrkslf isco nace naics discipline sport sports league uempla unempl "
            "unemploy nonprofit weekswork =self selfempl travail travaille csp ind+code jobseeker"),
    Topic("life", 3, "family and home",
            "child children kid kids dependent dependents dependant numdep dkids sibling siblings sibs sibsp parch "
            "family household famsize hhsize parents parent mother father husband wife babies preteen teens "
            "teenager kinder enfants hijos hogar haushalt menage housing homeowner homeownership ownhome house "
            "home dwelling apartment condo condomin condominium vivienda logement wohnung livingwith nchild nkids "
            "brothers sisters brthord birthord birth+order hhmem hhsz fsize household+size adults twins twin "
            "orphan mom mum dad eltern mutter vater madre padre hermanos pere mere enfant fratrie frere freres "
            "soeur soeurs geschwister momdad houshead =dep =head head+household tenancy tenant rooms bedrooms "
            "homeless widower nsibs kidhome teenhome homeown owned"),
    Topic("life", 2, "belongings that others see",
            "car cars vehicle auto coche voiture bicycle tv television radio boat pet dog cabin carrier phone+own "
            "telephone+own electric internet motorcycle hobby hobbies"),
    Topic("unit", 3, "an institution or a group",
            "center centre site clinic ward practice branch filiale store shop team club squad precinct =inst "
            "institution schid sch school+id hospital+id hospital+name provider+id lea agency dealer teacher+id "
            "classroom"),
    Topic("date", -3, "",
            "month+since day+since year+since month+last day+last week+last year+experience year+college "
            "year+married year+education hour+day hour+week hours+day hours+week"),
    Topic("body", 3, "how somebody looks",
            "height grosse taille estatura hair eye eyes beauty ht hgt stature looks handedness hand tall"),
    Topic("body", 2, "how somebody looks",
            "weight gewicht poids peso wt wgt wght"),
    Topic("staff", 3, "who treated, asked or dealt with somebody",
            "interviewer interviewerid intv enumerator officer agent clerk caseworker adviser advisor counsellor "
            "counselor consultant prescriber surgeon midwife therapist clinician operator judge attorney lawyer "
            "counsel supervisor instructor teacher tutor coach trainer rater examiner assessor adjuster underwriter "
            "broker salesperson cashier sachbearbeiter bearbeiter betreuer gutachter berater lehrer lehrkraft dozent "
            "richter hausarzt behandler vermittler praticien enqueteur conseiller gestionnaire juge enseignant "
            "encuestador asesor gestor juez docente vendedor operateur entscheider terapeuta therapeute psicologo "
            "psicologa psychologist psychologue psychologe terapista dentist odontologo"),
    Topic("staff", 4, "who treated, asked or dealt with somebody",
            "medecin+traitant medico+cabecera doctor+id doctor+code physician+id physician+code nurse+id arzt+nr "
            "arztnummer lanr consultant+code referring+physician attending+physician family+doctor"),
    Topic("unit", 1.5, "which member of a household",
            "=member =line =lineno =pno =persnr =idno =idmember =linenum =memno =memberid =hhmem"),
    Topic("unit", 3, "how people were drawn",
            "psu ssu strata stratum cluster clust upm estrato conglomerado grappe strate klumpen vstrat vpsu"),
    Topic("unit", 3, "an institution or a group",
            "garage workshop pharmacy apotheke pharmacie farmacia lab+id bank+branch sucursal agence niederlassung "
            "standort station depot practice+code gppractice kindergarten+name schulform schulart einrichtung "
            "etablissement establecimiento centro colegio instituto ecole lycee universite klinik krankenhaus "
            "hopital+id aerztehaus trust ccg employer+id firm+id company+id org+id npi enumeration+area ea+id pcp "
            "school+code schcode schoolnr classnr facility facilities organization organisation affiliation "
            "battalion regiment squadron btn"),
    Topic("life", 3, "school or studies",
            "course courses curso cursos kurs klasse klassenstufe jahrgangsstufe schuljahr yeargroup year+group "
            "homeroom grado nivel+educativo niveau+etudes niveau+formation schulbesuch lehre studiengang fakultat "
            "faculty campus hgc hgrade highgrade schyrs motheduc fatheduc highest+qualification leaving+certificate "
            "grade+level class+size diplome diplomes titulacion escolaridad instruccion alfabetizado "
            "bildungsabschluss isced educrec ged collgrad hsdegree dipl diploma+level qual quals qualifications "
            "studienfach hochschule universitat universidad escuela colegiatura field+study studyfield course+study "
            "grade+lvl gradelvl class+section =section streams ensenanza scolaire lycee college+type guardian "
            "tutor+legal schulbesuchsjahr schuljahre hochster+abschluss spec specialty speciality especialidad "
            "specialite fachrichtung qfhigh hiqual hiqual qual+high =pe040 =pe041 stream escolaridade instrucao "
            "opleiding istruzione educate educated schtyp schtype prog+school"),
    Topic("life", 3, "work",
            "metier cdi cdd csp teilzeit vollzeit arbeitszeit wochenstunden wochenarbeitszeit dienstgrad funktion "
            "stelle planstelle jornada contrato antiguedad anciennete categoria+profesional workplace worksite "
            "office division directorate cost+center cost+centre costcenter manager+id job+code jobcode fte leaver "
            "employer+size firm+size soc anzsco empl emplst emplstat lfstat econ+status activity+status "
            "labour+status jbstat reservist customer+since member+since client+since kunde+seit kundenseit "
            "cliente+desde fuhrerschein permis permis+b driver+license driving+licence license+class carnet+conducir "
            "situacion+laboral statut+emploi situation+pro erwerbsstatus erwerbstatig beschaftigung beschaftigt "
            "taetigkeit berufsgruppe stellung+beruf occupational empstat labforce classwkr uhrswork wkswork usualhrs "
            "lfs ilo employ labor labour recruitment hiring turno secteur poste entidad+laboral fachbereich "
            "tatigkeitsbereich beschaftigungsart beschaftigungsumfang beschaftigungsverhaltnis socioprofessionnelle "
            "socioprofesional workhours wrkhrs hrswrk hrswork jobcat occupat occcode indcode =ind sic selfe "
            "govt+worker workforce jobs kldb cpf pcs+esa gs csp+libelle vollbeschaftigt erwerbstatigkeit "
            "berufserfahrung ausbildungsberuf statut+professionnel retraite jubilado ft+pt fulltime+parttime fte+pct "
            "pay+type crew trade+union+sector spec+job full+part fullpart =pl030 =pl031 =pl040 =rb210 =rb211 "
            "division+work platform+work ocupacao profissao emprego beroep lavoro professione =years =yrs =size "
            "group+size team+size company+size"),
    Topic("life", 3, "family and home",
            "deps dependants relhead relation relat kinship verwandtschaft parente parentesco hoh jefe "
            "alleinerziehend monoparental angehorige familienangehorige ehepartner conjoint conyuge owner ownership "
            "landlord vermieter bedroom bathroom zimmer wohnflache mietverhaltnis chambre pieces habitaciones "
            "tenencia propietario roof wall walls floor water+source source+water drinking+water toilet latrine "
            "sanitation cooking+fuel stove dwelling+type fam fam+size famsz hhsize persons+household tenure haustier "
            "firstborn only+child lone+parent single+parent breadwinner household+type lebensform wohnform hhtype "
            "ownershp arrangement+living living+arrangement living+situation wohnsituation unterkunft accommodation "
            "hebergement alojamiento housing+status residence+type kinderzahl anzahl+kinder numprec hhmembers "
            "householdmembers persons+hh numpers npers nbpers nadults nchildren kidslt yngkid parental+status "
            "rel+head relhh rel+hh own+rent rent+own ownrent res+status resstatus wohneigentum eigentumer "
            "heimvorteil firstchild multibirth samesex hh+members household+members people+household number+persons "
            "persons guardianship foster adopted godparent orphaned resident+type =hsize =eqss equivalised "
            "equivalized oecd+scale hhsiz ppage+hh hhsizenew son sons daughter daughters baby fbaby firstbaby hijo "
            "hija fils fille sohn tochter nephew niece grandchild grandchildren pets membrs years+liv years+lived "
            "members+household no+members depends hompop room+type property+type listing+type personen "
            "anzahl+personen"),
    Topic("life", 2, "belongings that others see",
            "make marque marca fahrzeug vehicule vehiculo moto motorrad fahrrad velo bicicleta handset phone+model "
            "device+model livestock cattle cows goats poultry land+owned plot+size fuel+type veh veh+type "
            "vehicletype car+type voit"),
    Topic("life", 7, "belongings that others see",
            "vehage vehicle+age veh+age car+age auto+age autoage =vage =vagecat =vagecat1 house+age home+age "
            "building+age property+age dwelling+age"),
    Topic("place", 3, "where somebody lives or is",
            "lsoa msoa lad utla nuts constituency wahlkreis stadtteil ortsteil viertel regierungsbezirk kreis "
            "gemeindeschlussel gemeindekennziffer ags circonscription arrondissement insee academie comarca distrito "
            "colonia ubigeo localite hamlet subcounty woreda kebele upazila taluk tehsil lga governorate oblast "
            "gmina powiat concelho comune regione quartiere gps easting northing coord coordinates altitude "
            "elevation timezone tz beat zcta seccion+censal bloc ilot country+residence residencia domicilio "
            "domicile residenz herkunftsort wohnsitz statefip countyfip statecode puma urbanicity rurality urbrur "
            "geolev entidad entidad+res gps+n gps+e geocode wojewodztwo landesteil ruralurban citysize town+size "
            "sizeplace xnorcsiz ibge uf regiao cidade bairro cep resi reside resid residenc gor msacat =db040 =db100 "
            "degurba geozone hometown home+town birth+town munic municip endereco woonplaats comune+residenza loc "
            "xloc yloc x+loc y+loc x+coord y+coord xcoord ycoord circunscripcion electorate riding+name pos+x pos+y"),
    Topic("ground", 3, "age",
            "ageband agecat agegrp agegr agehed aage agehead ageh jahrgang geb gebjahr gebdat geburtsmonat geburt "
            "tranche+age classe+age grupo+edad rango+edad nac fecha+nac fnac lebensalter agerange agebracket "
            "altersklasse aetas ageyears agemonths agecon agey agedx age+dx age+diagnosis age+diag age+admission "
            "age+first age+visit edades alters gebdatum geburtsdat ddn age+enrollment age+enrolment age+entry "
            "yearborn yrsold =rb080 =pb140 =rx010 dvage agedv idade nasc nascimento faixa+etaria eta leeftijd alder "
            "dobth dobirth"),
    Topic("ground", 3, "sex or gender",
            "civilite anrede salutation =mw =mf =mwd gender+identity geschlechtsidentitat sexcode =rb090 =pb150 "
            "sexo+biologico cs+sexo geslacht kon sesso"),
    Topic("ground", 3, "race, colour or origin",
            "birthcountry geburtsland geburtsort lieu+naissance lugar+nacimiento nativity volksgruppe indigena maori "
            "roma gypsy refugee fluchtling refugie refugiado asylum asyl visa visum aufenthaltstitel "
            "aufenthaltsstatus residence+permit titre+sejour imigrnt person+color cauc people+color imgrnt bpl "
            "bplace bplcountry herkunft volkszugehorigkeit ethnische origen origine yrimmig immig immigr racesing "
            "origin+country country+origin arrival+country yearsusa yrsusa usborn us+born migstat refugee+status "
            "raca =cor ethm etn etnic etnicity etnicidad racethn racethnic =pb210 cor+raca eth"),
    Topic("ground", 3, "nationality",
            "muttersprache lengua+materna lengua langue+maternelle native+speaker first+language esl eal interpreter "
            "dolmetscher interprete staatsang staatsangeh nationality+code nacion speakeng english+speaker lang+home "
            "natio inatc =pb220a =pb220b ioc noc"),
    Topic("ground", 3, "marital status",
            "zivilstand famstand familienst fam+stand statut+conjugal conjugal pacs cohabitant cohabitation "
            "marriedcouple ehe estciv edocivil evermarr conj stat+conj statconj marstatus mastat =pb190 marstt "
            "legmar cohabitating burgerlijke+staat civilstand"),
    Topic("belief", 4, "religion or belief",
            "baptised baptized baptism taufe bautizo bapteme synagogue temple halal kosher creed islamic christian "
            "confirmed+church religios religiosa"),
    Topic("belief", 3, "a disability or pregnancy",
            "sen ehcp iep nee acnee forderbedarf special+needs special+education pip pip+award gdb "
            "behinderungsgrad embarazadas disabilities handicaps assistive care+level learning+disorder"),
)  # fmt: skip
